import { additionalFields } from '../upstream/decode.ts'
import {
  PLAYLIST_ORDER,
  PLAYLIST_PLATFORM,
  type PlaylistRow,
  playlistsPlatB,
  playlistsPlatC,
} from '../upstream/endpoints/playlist.ts'
import { viewOf } from '../upstream/window.ts'
import { builder } from './builder.ts'
import { bothWays, connectionOf } from './connection.ts'
import { valuesOf } from './enum.ts'
import { pagedField } from './listing.ts'
import { direction, orderedBy } from './order.ts'

const PlaylistPlatform = builder.enumType('PlaylistPlatform', {
  description: 'Platforms that have a playlist listing.',
  values: valuesOf(PLAYLIST_PLATFORM, {
    PLAT_B: 'Wire: platB',
    PLAT_C: 'Wire: platC',
  }),
})

const Playlist = builder.objectRef<PlaylistRow>('Playlist').implement({
  description: "A playlist of a platform's listing. Its place in the listing is on the edge.",
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Global id.',
      resolve: ({ platform, cmId }) => `Playlist:${platform}:${cmId}`,
    }),
    cmId: t.id({
      nullable: false,
      description: "The service's number, within the platform. Wire: id",
      resolve: ({ cmId }) => cmId ?? '',
    }),
    platform: t.expose('platform', {
      type: PlaylistPlatform,
      nullable: false,
      description: 'Platform.',
    }),
    playlistId: t.expose('playlistId', {
      type: 'ID',
      description: "The platform's own id. Wire: playlist_id",
    }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
    imageUrl: t.expose('imageUrl', { type: 'URL', description: 'Picture. Wire: image_url' }),
    countryCode: t.expose('countryCode', {
      type: 'CountryCode',
      description: 'Country. Wire: code2',
    }),
    isPersonalized: t.expose('isPersonalized', {
      type: 'Boolean',
      description: 'Whether made for each listener. Wire: personalized',
    }),
    isEditorial: t.expose('isEditorial', {
      type: 'Boolean',
      description: "Whether made by the platform's editors. Wire: editorial",
    }),
    followers: t.expose('followers', { type: 'BigInt', description: 'Followers. Wire: followers' }),
    weeklyFollowerChange: t.expose('weeklyFollowerChange', {
      type: 'BigInt',
      description: 'Change of followers over a week. Wire: fdiff_week',
    }),
    monthlyFollowerChange: t.expose('monthlyFollowerChange', {
      type: 'BigInt',
      description: 'Change of followers over a month. Wire: fdiff_month',
    }),
    weeklyFollowerChangePercent: t.expose('weeklyFollowerChangePercent', {
      type: 'Float',
      description: 'Same, percent. Wire: fdiff_percent_week',
    }),
    monthlyFollowerChangePercent: t.expose('monthlyFollowerChangePercent', {
      type: 'Float',
      description: 'Same, percent. Wire: fdiff_percent_month',
    }),
    activeRatio: t.expose('activeRatio', {
      type: 'Float',
      description: 'Activity, with fraction. Wire: active_ratio',
    }),
    lastUpdated: t.expose('lastUpdated', {
      type: 'DateTime',
      description: 'Last change. Wire: last_updated',
    }),
    ownerName: t.expose('ownerName', {
      type: 'String',
      description: 'Name of the owner. Wire: owner_name',
    }),
    ownerId: t.expose('ownerId', {
      type: 'Int',
      description: 'Number of the owner. Wire: owner_id',
    }),
    userId: t.expose('userId', {
      type: 'ID',
      description: "Owner's id on the platform. Wire: user_id",
    }),
    catalog: t.expose('catalog', {
      type: 'String',
      description: 'Catalogue, as written. Wire: catalog',
    }),
    genres: t.expose('genres', {
      type: ['String'],
      nullable: false,
      description: 'Genres; comma-separated on the wire. Wire: genre',
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

const PlaylistOrderField = builder.enumType('PlaylistOrderField', {
  description:
    'What playlists are ordered by; a value of the other platform is refused. Wire: sortColumn',
  values: valuesOf(PLAYLIST_ORDER, {
    ACTIVE_RATIO: 'Both platforms. Wire: active_ratio',
    LAST_UPDATED: 'Both platforms. Wire: last_updated',
    TRACK_COUNT: 'Both platforms. Wire: num_track',
    RANK: 'PLAT_C only. Wire: rank',
    FOLLOWERS: 'PLAT_B only. Wire: followers',
    WEEKLY_FOLLOWER_CHANGE: 'PLAT_B only. Wire: fdiff_week',
    MONTHLY_FOLLOWER_CHANGE: 'PLAT_B only. Wire: fdiff_month',
    WEEKLY_FOLLOWER_CHANGE_PERCENT: 'PLAT_B only. Wire: fdiff_percent_week',
    MONTHLY_FOLLOWER_CHANGE_PERCENT: 'PLAT_B only. Wire: fdiff_percent_month',
  }),
})

const PlaylistFilter = builder.inputType('PlaylistFilter', {
  description: 'Which playlists; members marked PLAT_B exist there only.',
  fields: (t) => ({
    tagIds: t.field({ type: ['Int'], description: 'Any of these genres or tags. Wire: tagIds[]' }),
    countryCode: t.field({ type: 'CountryCode', description: 'Country. Wire: code2' }),
    editorialOnly: t.field({
      type: 'Boolean',
      defaultValue: true,
      description: 'Only editorial ones; false adds those of users. Wire: editorial',
    }),
    topPlaylistsOnly: t.field({
      type: 'Boolean',
      description: 'Only top playlists. Wire: topPlaylist',
    }),
    descriptionSearch: t.field({
      type: 'String',
      description: 'Part of the description. Wire: descriptionSearch',
    }),
    shortlistIds: t.field({
      type: ['Int'],
      description: 'In any of these shortlists, unique. Wire: userListIds[]',
    }),
    curatorIds: t.field({
      type: ['ID'],
      description: "Owned by these curators, the platform's ids; PLAT_B. Wire: curatorIds[]",
    }),
    excludedCuratorListIds: t.field({
      type: ['ID'],
      description: 'Without these curators; PLAT_B. Wire: excludedCuratorListIds[]',
    }),
    isIndie: t.field({ type: 'Boolean', description: 'Independent ones; PLAT_B. Wire: indie' }),
    majorCuratorsOnly: t.field({
      type: 'Boolean',
      description: 'Only curators of major labels; PLAT_B. Wire: majorCurator',
    }),
  }),
})

const PlaylistOrder = builder.inputType('PlaylistOrder', {
  description: 'Order of playlists.',
  fields: (t) => ({
    field: t.field({ type: PlaylistOrderField, required: true, description: 'What to order by.' }),
    direction: t.field(direction('DESC')),
  }),
})

const { connection, edge } = connectionOf(
  'Playlist',
  Playlist,
  'Playlists; ends by `total`, at most 10,000.',
)
builder.objectField(edge, 'position', (t) =>
  t.int({
    description: 'Place in this listing. Wire: position',
    resolve: ({ item }) => item.row.position,
  }),
)

const views = { platB: viewOf(playlistsPlatB), platC: viewOf(playlistsPlatC) }

builder.queryField('playlists', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Playlists of a platform. Wire: GET /api/playlist/{platform}/lists',
    args: {
      platform: t.arg({
        type: PlaylistPlatform,
        required: true,
        description: 'Platform that has the listing.',
      }),
      filter: t.arg({ type: PlaylistFilter, description: 'Which playlists.' }),
      orderBy: t.arg({
        type: PlaylistOrder,
        description: "Order; the platform's own when left out.",
      }),
      ...bothWays(t.arg),
    },
    ask: (_query, { platform, filter, orderBy, ...paging }) => ({
      view: views[platform],
      args: {
        ...filter,
        ...orderedBy(orderBy),
      },
      paging,
    }),
    node: (row) => row,
  }),
)
