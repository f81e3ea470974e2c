import { hours } from '../calendar.ts'
import { row } from '../decode.ts'
import { listing } from '../endpoint.ts'
import { arrayWithTotal } from '../envelopes.ts'
import {
  array,
  bool as boolParam,
  country as countryParam,
  int as intParam,
  oneOf,
  query,
  sumAtMost,
  text as textParam,
} from '../params.ts'
import {
  bool,
  commaList,
  count,
  country,
  float,
  id,
  int,
  key,
  moment,
  text,
  url,
} from '../values.ts'

export const PLAYLIST_PLATFORM = { PLAT_B: 'platB', PLAT_C: 'platC' } as const

const BOTH = {
  ACTIVE_RATIO: 'active_ratio',
  LAST_UPDATED: 'last_updated',
  TRACK_COUNT: 'num_track',
} as const
const ONLY_C = { ...BOTH, RANK: 'rank' } as const
const ONLY_B = {
  ...BOTH,
  FOLLOWERS: 'followers',
  WEEKLY_FOLLOWER_CHANGE: 'fdiff_week',
  MONTHLY_FOLLOWER_CHANGE: 'fdiff_month',
  WEEKLY_FOLLOWER_CHANGE_PERCENT: 'fdiff_percent_week',
  MONTHLY_FOLLOWER_CHANGE_PERCENT: 'fdiff_percent_month',
} as const
export const PLAYLIST_ORDER = { ...ONLY_C, ...ONLY_B } as const

const playlistOf = (platform: 'platB' | 'platC') =>
  row(
    {
      platform: ['', () => platform],
      cmId: ['id', key],
      position: ['position', int],
      playlistId: ['playlist_id', key],
      name: ['name', text],
      imageUrl: ['image_url', url],
      countryCode: ['code2', country],
      isPersonalized: ['personalized', bool],
      isEditorial: ['editorial', bool],
      followers: ['followers', count],
      weeklyFollowerChange: ['fdiff_week', count],
      monthlyFollowerChange: ['fdiff_month', count],
      weeklyFollowerChangePercent: ['fdiff_percent_week', float],
      monthlyFollowerChangePercent: ['fdiff_percent_month', float],
      activeRatio: ['active_ratio', float],
      lastUpdated: ['last_updated', moment],
      ownerName: ['owner_name', text],
      ownerId: ['owner_id', id],
      userId: ['user_id', key],
      catalog: ['catalog', text],
      genres: ['genre', commaList],
    } as const,
    'cmId',
  )

/** A row of a playlist listing. */
export type PlaylistRow = NonNullable<ReturnType<ReturnType<typeof playlistOf>>>

const filters = {
  tagIds: array('tagIds', intParam(0)),
  countryCode: query('code2', countryParam),
  editorialOnly: query('editorial', boolParam, { initial: true }),
  topPlaylistsOnly: query('topPlaylist', boolParam),
  descriptionSearch: query('descriptionSearch', textParam(1)),
  shortlistIds: array('userListIds', intParam(0)),
  isDescending: query('sortOrderDesc', boolParam, { initial: true }),
  offset: query('offset', intParam(0, 10_000)),
  limit: query('limit', intParam(1, 10_000)),
}

const playlists = {
  doc: 'Playlists of a platform, filtered and ordered.',
  rules: [sumAtMost('offset', 'limit', 10_000)],
  envelope: arrayWithTotal,
  end: 'total',
  windows: [100, 1000, 10_000],
  freshFor: hours(6),
} as const

export const playlistsPlatC = listing({
  ...playlists,
  name: 'playlistsPlatC',
  route: 'GET /api/playlist/platC/lists',
  row: playlistOf('platC'),
  params: { ...filters, orderBy: query('sortColumn', oneOf(ONLY_C, PLAYLIST_ORDER)) },
})

export const playlistsPlatB = listing({
  ...playlists,
  name: 'playlistsPlatB',
  route: 'GET /api/playlist/platB/lists',
  row: playlistOf('platB'),
  params: {
    ...filters,
    orderBy: query('sortColumn', oneOf(ONLY_B, PLAYLIST_ORDER)),
    curatorIds: array('curatorIds', textParam(1, 200)),
    excludedCuratorListIds: array('excludedCuratorListIds', textParam(1, 200)),
    isIndie: query('indie', boolParam),
    majorCuratorsOnly: query('majorCurator', boolParam),
  },
})
