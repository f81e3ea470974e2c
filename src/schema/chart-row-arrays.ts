import type { Recording } from '../upstream/endpoints/chart-recording.ts'
import { builder } from './builder.ts'

export const ChartRowArrays = builder.objectRef<Recording>('ChartRowArrays').implement({
  description:
    "The arrays of a chart row, nulls left out; one that the chart's row does not have is empty. `artistCredits` and `albumCredits` pair them.",
  fields: (t) => ({
    artistIds: t.expose('artistIds', {
      type: ['Int'],
      nullable: false,
      description: 'Numbers of artists. Wire: cm_artist',
    }),
    artistNames: t.expose('artistNames', {
      type: ['String'],
      nullable: false,
      description: 'Names of artists. Wire: artist_names',
    }),
    artistCountryCodes: t.expose('artistCountryCodes', {
      type: ['CountryCode'],
      nullable: false,
      description: 'Countries of artists. Wire: code2s',
    }),
    artistImageUrls: t.expose('artistImageUrls', {
      type: ['URL'],
      nullable: false,
      description: 'Pictures of artists. Wire: artist_images',
    }),
    artistCoverUrls: t.expose('artistCoverUrls', {
      type: ['URL'],
      nullable: false,
      description: 'Wide pictures of artists. Wire: artist_covers',
    }),
    albumIds: t.expose('albumIds', {
      type: ['Int'],
      nullable: false,
      description: 'Numbers of albums. Wire: album_ids',
    }),
    albumNames: t.expose('albumNames', {
      type: ['String'],
      nullable: false,
      description: 'Titles of albums. Wire: album_names',
    }),
    albumUpcs: t.expose('albumUpcs', {
      type: ['String'],
      nullable: false,
      description: 'Product codes. Wire: album_upc',
    }),
    albumLabels: t.expose('albumLabels', {
      type: ['String'],
      nullable: false,
      description: 'Labels. Wire: album_label',
    }),
    releaseDates: t.expose('releaseDates', {
      type: ['Date'],
      nullable: false,
      description: 'Days of release. Wire: release_dates',
    }),
    storefronts: t.expose('storefronts', {
      type: ['String'],
      nullable: false,
      description: 'Storefronts of platH. Wire: storefronts',
    }),
    platATrackIds: t.expose('platATrackIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of tracks on platA. Wire: platA_track_ids',
    }),
    platAAlbumIds: t.expose('platAAlbumIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of albums on platA. Wire: platA_album_ids',
    }),
    platBTrackIds: t.expose('platBTrackIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of tracks on platB. Wire: platB_track_ids',
    }),
    platBAlbumIds: t.expose('platBAlbumIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of albums on platB. Wire: platB_album_ids',
    }),
    platBArtistIds: t.expose('platBArtistIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of artists on platB. Wire: platB_artist_ids',
    }),
    platBArtistNames: t.expose('platBArtistNames', {
      type: ['String'],
      nullable: false,
      description: 'Names of artists on platB. Wire: platB_artist_names',
    }),
    platCTrackIds: t.expose('platCTrackIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of tracks on platC. Wire: platC_track_ids',
    }),
    platCAlbumIds: t.expose('platCAlbumIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of albums on platC. Wire: platC_album_ids',
    }),
    platDTrackIds: t.expose('platDTrackIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of tracks on platD. Wire: platD_track_ids',
    }),
    platDArtistNames: t.expose('platDArtistNames', {
      type: ['String'],
      nullable: false,
      description: 'Names of artists on platD. Wire: platD_artist_names',
    }),
    platHTrackIds: t.expose('platHTrackIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of tracks on platH. Wire: platH_track_ids',
    }),
    platHAlbumIds: t.expose('platHAlbumIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of albums on platH. Wire: platH_album_ids',
    }),
    platHArtistIds: t.expose('platHArtistIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of artists on platH. Wire: platH_artist_ids',
    }),
    platHArtistNames: t.expose('platHArtistNames', {
      type: ['String'],
      nullable: false,
      description: 'Names of artists on platH. Wire: platH_artist_names',
    }),
  }),
})
