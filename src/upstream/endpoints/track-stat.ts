import { memo } from '../../memo.ts'
import { hours } from '../calendar.ts'
import { row } from '../decode.ts'
import { listing, type Parts } from '../endpoint.ts'
import { arrayWithTotal } from '../envelopes.ts'
import {
  type Args,
  array,
  bool as boolParam,
  day as dayParam,
  daysInOrder,
  decimal,
  inOrder,
  int as intParam,
  type Kind,
  notTogether,
  oneOf,
  onlyWith,
  type Param,
  query,
  type Rule,
  sumAtMost,
} from '../params.ts'
import type { Rows } from '../rows.ts'
import { commaList, float, label, list, named, one } from '../values.ts'
import { albumCredit } from './album.ts'
import { creditedArtist } from './artist.ts'
import { descriptors } from './genre.ts'
import { ofAlbums, ofArtists, ofTracks } from './taught.ts'
import { filteredTrack } from './track.ts'

export const TRACK_STAT = {
  SCORE: 'score',
  RELEASE_DATE: 'release_date',
  ALBUM_RELEASE_DATE: 'album.release_date',
  RANK_OVERALL: 'rank.rank_overall',
  RANK: 'rank',
  AIRPLAY_STREAMS: 'airplay_streams',
  PLAT_A_PLAYS: 'platA_plays',
  PLAT_A_POPULARITY: 'platA_popularity',
  PLAT_A_PLAYLIST_COUNT: 'platA_playlist_count',
  PLAT_A_PLAYLIST_TOTAL_REACH: 'platA_playlist_total_reach',
  PLAT_A_EDITORIAL_PLAYLIST_COUNT: 'platA_ed_playlist_count',
  PLAT_A_EDITORIAL_PLAYLIST_TOTAL_REACH: 'platA_ed_playlist_total_reach',
  PLAT_B_PLAYLIST_COUNT: 'platB_playlist_count',
  PLAT_C_PLAYLIST_COUNT: 'platC_playlist_count',
  PLAT_D_POSTS: 'platD_posts',
  PLAT_D_TOP_VIDEOS_LIKES: 'platD_top_videos_likes',
  PLAT_D_TOP_VIDEOS_VIEWS: 'platD_top_videos_views',
  PLAT_E_PLAYS: 'platE_plays',
  PLAT_G_COUNT: 'platG_count',
  PLAT_H_PLAYLIST_COUNT: 'platH_playlist_count',
  PLAT_J_LIKES: 'platJ_likes',
  PLAT_J_PLAYLIST_COUNT: 'platJ_playlist_count',
  PLAT_J_VIEWS: 'platJ_views',
  PLAT_K_POPULARITY: 'platK_popularity',
  PLAT_V_STREAMS: 'platV_streams',
} as const
export type TrackStat = (typeof TRACK_STAT)[keyof typeof TRACK_STAT]

export const STAT_PERIOD = {
  LATEST: 'latest',
  WEEKLY_DIFF: 'weekly_diff',
  MONTHLY_DIFF: 'monthly_diff',
  BIMONTHLY_DIFF: 'bimonthly_diff',
  WEEKLY_DIFF_PERCENT: 'weekly_diff_percent',
  MONTHLY_DIFF_PERCENT: 'monthly_diff_percent',
  BIMONTHLY_DIFF_PERCENT: 'bimonthly_diff_percent',
} as const
export type StatPeriod = (typeof STAT_PERIOD)[keyof typeof STAT_PERIOD]

export const TRACK_VERSION = {
  ORIGINAL: 'original',
  RE_RELEASE: 're_release',
  EDIT: 'edit',
  REMIX: 'remix',
  ACOUSTIC: 'acoustic',
} as const

/** Statistics that have no periods; the release date is not even an order. */
export const WITHOUT_PERIOD: ReadonlySet<TrackStat> = new Set([
  TRACK_STAT.SCORE,
  TRACK_STAT.RELEASE_DATE,
  TRACK_STAT.ALBUM_RELEASE_DATE,
  TRACK_STAT.RANK_OVERALL,
])
/** Statistics that are an order by themselves too. */
export const BARE_ORDER: ReadonlySet<TrackStat> = new Set([
  TRACK_STAT.SCORE,
  TRACK_STAT.ALBUM_RELEASE_DATE,
  TRACK_STAT.RANK_OVERALL,
  TRACK_STAT.RANK,
  TRACK_STAT.AIRPLAY_STREAMS,
])

const stats = Object.values(TRACK_STAT)
const withPeriods = stats.filter((stat) => !WITHOUT_PERIOD.has(stat))
const columns = [
  ...BARE_ORDER,
  ...Object.values(STAT_PERIOD).flatMap((period) => withPeriods.map((stat) => `${period}.${stat}`)),
]
const sortColumn: Kind = {
  ...oneOf(Object.fromEntries(columns.map((column) => [column, column]))),
  doc: `one of ${[...BARE_ORDER].join(', ')}, or a statistic as <period>.<stat>`,
}

/** `min_<stat>` and `max_<stat>` of every statistic, and the rules that keep each pair in order. */
const ranges = (): { params: Record<string, Param>; rules: Rule[] } => {
  const params: Record<string, Param> = {}
  const rules: Rule[] = []
  for (const stat of stats) {
    const isDay = stat === TRACK_STAT.RELEASE_DATE
    const [min, max] = [`min_${stat}`, `max_${stat}`]
    params[min] = query(min, isDay ? dayParam : decimal)
    params[max] = query(max, isDay ? dayParam : decimal)
    rules.push(isDay ? daysInOrder(min, max) : inOrder(min, max))
  }
  return { params, rules }
}
const { params: bounds, rules: ordered } = ranges()

const versions = (wire: string): Param => array(wire, oneOf(TRACK_VERSION))

const trackStats = row({
  rank: ['rank', float],
  airplayStreams: ['airplay_streams', float],
  platAPlays: ['platA_plays', float],
  platAPopularity: ['platA_popularity', float],
  platAPlaylistCount: ['platA_playlist_count', float],
  platAPlaylistTotalReach: ['platA_playlist_total_reach', float],
  platAEditorialPlaylistCount: ['platA_ed_playlist_count', float],
  platAEditorialPlaylistTotalReach: ['platA_ed_playlist_total_reach', float],
  platBPlaylistCount: ['platB_playlist_count', float],
  platCPlaylistCount: ['platC_playlist_count', float],
  platDPosts: ['platD_posts', float],
  platDTopVideosLikes: ['platD_top_videos_likes', float],
  platDTopVideosViews: ['platD_top_videos_views', float],
  platEPlays: ['platE_plays', float],
  platGCount: ['platG_count', float],
  platHPlaylistCount: ['platH_playlist_count', float],
  platJLikes: ['platJ_likes', float],
  platJPlaylistCount: ['platJ_playlist_count', float],
  platJViews: ['platJ_views', float],
  platKPopularity: ['platK_popularity', float],
  platVStreams: ['platV_streams', float],
} as const)
export type TrackStats = NonNullable<ReturnType<typeof trackStats>>

const trackStat = row({
  track: ['', filteredTrack],
  artistCredits: ['artist', named(creditedArtist)],
  albumCredits: ['album', named(albumCredit)],
  genres: ['genre', commaList],
  songwriters: ['songwriter', list(label)],
  moods: ['moods', descriptors],
  score: ['score', float],
  latest: ['latest', one(trackStats)],
  weeklyDiff: ['weekly_diff', one(trackStats)],
  monthlyDiff: ['monthly_diff', one(trackStats)],
  bimonthlyDiff: ['bimonthly_diff', one(trackStats)],
  weeklyDiffPercent: ['weekly_diff_percent', one(trackStats)],
  monthlyDiffPercent: ['monthly_diff_percent', one(trackStats)],
  bimonthlyDiffPercent: ['bimonthly_diff_percent', one(trackStats)],
} as const)

/** A row of the track filter. */
export type TrackStatRow = NonNullable<ReturnType<typeof trackStat>>

/** The artists that a request is for. */
export const artistsOf = ({ artistIds }: Args): number[] =>
  Array.isArray(artistIds) ? artistIds.map(Number) : []

export const isBy =
  (...artistIds: number[]) =>
  (row: TrackStatRow | null): boolean =>
    row?.artistCredits.some(({ cmId }) => artistIds.some((id) => id === cmId)) === true

const byArtist = memo(({ rows }: Rows<TrackStatRow>) => {
  const found = new Map<number, TrackStatRow[]>()
  for (const row of rows.slice())
    for (const cmId of new Set(row?.artistCredits.map(({ cmId }) => cmId))) {
      if (row === null || typeof cmId !== 'number') continue
      const own = found.get(cmId) ?? []
      if (own.length === 0) found.set(cmId, own)
      own.push(row)
    }
  return found
})

const nameOf = (args: Args, artistId: number): string =>
  JSON.stringify({ ...args, artistIds: artistId, offset: undefined, limit: undefined })

/** In a listing of several artists each one's rows come in the order in which they come alone. */
const perArtist: Parts<Rows<TrackStatRow>> = {
  nameOf(args) {
    const [only, ...others] = artistsOf(args)
    return only === undefined || others.length > 0 ? undefined : nameOf(args, only)
  },
  namesIn(args) {
    const all = artistsOf(args)
    return all.length < 2 || args.offset !== 0 ? [] : all.map((artistId) => nameOf(args, artistId))
  },
  // A row that nobody could read, or that names none of them, may be anyone's, and no rows at all may be a 404.
  isWhole: ({ rows, total }, args) =>
    rows.length > 0 &&
    total !== null &&
    rows.length >= total &&
    rows.slice().every(isBy(...artistsOf(args))),
  cut(value, args) {
    const [artistId = 0] = artistsOf(args)
    const rows = byArtist(value).get(artistId) ?? []
    const offset = Number(args.offset ?? 0)
    return {
      rows: rows.slice(offset, offset + Number(args.limit)),
      total: rows.length,
      offset,
    }
  },
}

export const tracksByFilter = listing({
  name: 'tracksByFilter',
  doc: 'Tracks filtered and ordered by statistics.',
  route: 'GET /api/track/list/filter',
  params: {
    genreIds: array('genres', intParam(0)),
    artistIds: array('artists', intParam(0)),
    shortlistIds: array('shortListIds', intParam(0)),
    period: query('range_period', oneOf(STAT_PERIOD), { initial: STAT_PERIOD.LATEST }),
    ...bounds,
    originalsOnly: query('originalsOnly', boolParam, { initial: true }),
    versionOnly: versions('version_only'),
    versionAnd: versions('version_and'),
    versionOr: versions('version_or'),
    versionNot: versions('version_not'),
    orderBy: query('sortColumn', sortColumn, { initial: TRACK_STAT.SCORE }),
    isDescending: query('sortOrderDesc', boolParam, { initial: true }),
    offset: query('offset', intParam(0, 10_000)),
    limit: query('limit', intParam(1, 10_000)),
  },
  rules: [
    sumAtMost('offset', 'limit', 10_000),
    onlyWith('originalsOnly', false, 'versionOnly', 'versionAnd', 'versionOr', 'versionNot'),
    notTogether('versionOnly', 'versionAnd', 'versionOr', 'versionNot'),
    notTogether('versionAnd', 'versionOr'),
    ...ordered,
  ],
  envelope: arrayWithTotal,
  row: trackStat,
  teaches: ({ track, artistCredits, albumCredits }) => [
    ...ofTracks(track),
    ...ofArtists(...artistCredits),
    ...ofAlbums(...albumCredits),
  ],
  parts: perArtist,
  end: 'total',
  windows: [100, 1000, 10_000],
  freshFor: hours(6),
})
