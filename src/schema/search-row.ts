import { additionalFields } from '../upstream/decode.ts'
import {
  type CuratorRow,
  type PlaylistSearchRow as PlaylistRow,
  SEARCH_CURATOR_PLATFORM,
  SEARCH_PLAYLIST_PLATFORM,
  type SongwriterRow,
} from '../upstream/endpoints/search.ts'
import { builder } from './builder.ts'
import { valuesOf } from './enum.ts'

export const SearchPlaylistPlatform = builder.enumType('SearchPlaylistPlatform', {
  description: 'Platforms by which found playlists are keyed.',
  values: valuesOf(SEARCH_PLAYLIST_PLATFORM, {
    PLAT_A: 'Wire: platA',
    PLAT_B: 'Wire: platB',
    PLAT_C: 'Wire: platC',
    PLAT_E: 'Wire: platE',
    PLAT_I: 'Wire: platI',
    PLAT_J: 'Wire: platJ',
  }),
})

export const SearchCuratorPlatform = builder.enumType('SearchCuratorPlatform', {
  description: 'Platforms by which found curators are keyed.',
  values: valuesOf(SEARCH_CURATOR_PLATFORM, {
    PLAT_A: 'Wire: platA',
    PLAT_B: 'Wire: platB',
    PLAT_C: 'Wire: platC',
    PLAT_I: 'Wire: platI',
    PLAT_J: 'Wire: platJ',
  }),
})

export const PlaylistSearchRow = builder.objectRef<PlaylistRow>('PlaylistSearchRow').implement({
  description: 'A playlist found by search.',
  fields: (t) => ({
    cmId: t.id({
      nullable: false,
      description: 'Id, within the platform. Wire: id',
      resolve: ({ cmId }) => cmId ?? '',
    }),
    platform: t.expose('platform', {
      type: SearchPlaylistPlatform,
      nullable: false,
      description: 'Platform.',
    }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
    imageUrl: t.expose('imageUrl', { type: 'URL', description: 'Picture. Wire: image_url' }),
    ownerName: t.expose('ownerName', {
      type: 'String',
      description: 'Name of the owner. Wire: owner_name',
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

export const Curator = builder.objectRef<CuratorRow>('Curator').implement({
  description: 'A curator of playlists.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Global id.',
      resolve: ({ platform, cmId }) => `Curator:${platform}:${cmId}`,
    }),
    cmId: t.int({
      nullable: false,
      description: "The service's number, within the platform. Wire: id",
      resolve: ({ cmId }) => cmId ?? 0,
    }),
    platform: t.expose('platform', {
      type: SearchCuratorPlatform,
      nullable: false,
      description: 'Platform.',
    }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
    imageUrl: t.expose('imageUrl', { type: 'URL', description: 'Picture. Wire: image_url' }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

export const Songwriter = builder.objectRef<SongwriterRow>('Songwriter').implement({
  description: 'A songwriter.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Global id.',
      resolve: ({ cmId }) => `Songwriter:${cmId}`,
    }),
    cmId: t.int({
      nullable: false,
      description: "The service's number. Wire: doc_id",
      resolve: ({ cmId }) => cmId ?? 0,
    }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
    artistName: t.expose('artistName', {
      type: 'String',
      description: 'Name as an artist. Wire: artistName',
    }),
    imageUrl: t.expose('imageUrl', { type: 'URL', description: 'Picture. Wire: image_url' }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})
