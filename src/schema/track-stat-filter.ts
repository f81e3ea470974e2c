import { STAT_PERIOD, TRACK_STAT, TRACK_VERSION } from '../upstream/endpoints/track-stat.ts'
import { builder } from './builder.ts'
import { valuesOf } from './enum.ts'
import { direction } from './order.ts'

const TrackStat = builder.enumType('TrackStat', {
  description: 'Statistics by which tracks are filtered and ordered.',
  values: valuesOf(TRACK_STAT, {
    SCORE: 'Score of the service; no period. Wire: score',
    RELEASE_DATE:
      'Day of release; no period; filtered by `releaseDate`, never by a range. Wire: release_date',
    ALBUM_RELEASE_DATE:
      "Release date of the album, the service's raw number; no period. Wire: album.release_date",
    RANK_OVERALL: 'Overall rank; no period. Wire: rank.rank_overall',
    RANK: 'Rank. Wire: rank',
    AIRPLAY_STREAMS: 'Streams on the air. Wire: airplay_streams',
    PLAT_A_PLAYS: 'Plays on platA. Wire: platA_plays',
    PLAT_A_POPULARITY: 'Popularity on platA. Wire: platA_popularity',
    PLAT_A_PLAYLIST_COUNT: 'Playlists on platA. Wire: platA_playlist_count',
    PLAT_A_PLAYLIST_TOTAL_REACH: 'Reach of playlists on platA. Wire: platA_playlist_total_reach',
    PLAT_A_EDITORIAL_PLAYLIST_COUNT: 'Editorial playlists on platA. Wire: platA_ed_playlist_count',
    PLAT_A_EDITORIAL_PLAYLIST_TOTAL_REACH:
      'Reach of editorial playlists on platA. Wire: platA_ed_playlist_total_reach',
    PLAT_B_PLAYLIST_COUNT: 'Playlists on platB. Wire: platB_playlist_count',
    PLAT_C_PLAYLIST_COUNT: 'Playlists on platC. Wire: platC_playlist_count',
    PLAT_D_POSTS: 'Posts on platD. Wire: platD_posts',
    PLAT_D_TOP_VIDEOS_LIKES: 'Likes of top videos on platD. Wire: platD_top_videos_likes',
    PLAT_D_TOP_VIDEOS_VIEWS: 'Views of top videos on platD. Wire: platD_top_videos_views',
    PLAT_E_PLAYS: 'Plays on platE. Wire: platE_plays',
    PLAT_G_COUNT: 'Count on platG. Wire: platG_count',
    PLAT_H_PLAYLIST_COUNT: 'Playlists on platH. Wire: platH_playlist_count',
    PLAT_J_LIKES: 'Likes on platJ. Wire: platJ_likes',
    PLAT_J_PLAYLIST_COUNT: 'Playlists on platJ. Wire: platJ_playlist_count',
    PLAT_J_VIEWS: 'Views on platJ. Wire: platJ_views',
    PLAT_K_POPULARITY: 'Popularity on platK. Wire: platK_popularity',
    PLAT_V_STREAMS: 'Streams on platV. Wire: platV_streams',
  }),
})

export const StatPeriod = builder.enumType('StatPeriod', {
  description: 'Window of a statistic.',
  values: valuesOf(STAT_PERIOD, {
    LATEST: 'Latest value. Wire: latest',
    WEEKLY_DIFF: 'Change over 7 days. Wire: weekly_diff',
    MONTHLY_DIFF: 'Change over 28 days. Wire: monthly_diff',
    BIMONTHLY_DIFF: 'Bimonthly change. Wire: bimonthly_diff',
    WEEKLY_DIFF_PERCENT: 'Change over 7 days, percent. Wire: weekly_diff_percent',
    MONTHLY_DIFF_PERCENT: 'Change over 28 days, percent. Wire: monthly_diff_percent',
    BIMONTHLY_DIFF_PERCENT: 'Bimonthly change, percent. Wire: bimonthly_diff_percent',
  }),
})

const TrackVersion = builder.enumType('TrackVersion', {
  description: 'Version of a recording.',
  values: valuesOf(TRACK_VERSION, {
    ORIGINAL: 'Original. Wire: original',
    RE_RELEASE: 'Released again. Wire: re_release',
    EDIT: 'Edit. Wire: edit',
    REMIX: 'Remix. Wire: remix',
    ACOUSTIC: 'Acoustic. Wire: acoustic',
  }),
})

const TrackStatRange = builder.inputType('TrackStatRange', {
  description: 'Bounds of one statistic, inclusive; negative values are allowed.',
  fields: (t) => ({
    stat: t.field({
      type: TrackStat,
      required: true,
      description: 'The statistic; any but RELEASE_DATE.',
    }),
    min: t.field({ type: 'Float', description: 'Least value. Wire: min_<stat>' }),
    max: t.field({ type: 'Float', description: 'Greatest value. Wire: max_<stat>' }),
  }),
})

const DateRange = builder.inputType('DateRange', {
  description: 'Days, both ends inclusive.',
  fields: (t) => ({
    min: t.field({ type: 'Date', description: 'First day.' }),
    max: t.field({ type: 'Date', description: 'Last day.' }),
  }),
})

export const TrackFilter = builder.inputType('TrackFilter', {
  description: 'Which tracks.',
  fields: (t) => ({
    genreIds: t.field({ type: ['Int'], description: 'Any of these genres. Wire: genres[]' }),
    artistIds: t.field({ type: ['Int'], description: 'Any of these artists. Wire: artists[]' }),
    shortlistIds: t.field({
      type: ['Int'],
      description: 'In any of these shortlists, unique. Wire: shortListIds[]',
    }),
    ranges: t.field({
      type: [TrackStatRange],
      description: 'Ranges that all hold, one for each statistic. Wire: min_<stat>, max_<stat>',
    }),
    releaseDate: t.field({
      type: DateRange,
      description: 'Day of release, whatever the period. Wire: min_release_date, max_release_date',
    }),
    originalsOnly: t.field({
      type: 'Boolean',
      defaultValue: true,
      description:
        'No remixes, covers and the like; false is needed for the versions below. Wire: originalsOnly',
    }),
    versionOnly: t.field({
      type: [TrackVersion],
      description: 'Every version is one of these; excludes the other three. Wire: version_only[]',
    }),
    versionAnd: t.field({
      type: [TrackVersion],
      description: 'Has all of these; excludes versionOr. Wire: version_and[]',
    }),
    versionOr: t.field({
      type: [TrackVersion],
      description: 'Has one of these; excludes versionAnd. Wire: version_or[]',
    }),
    versionNot: t.field({
      type: [TrackVersion],
      description: 'Has none of these. Wire: version_not[]',
    }),
  }),
})

export const TrackOrder = builder.inputType('TrackOrder', {
  description: 'Order of tracks. Wire: sortColumn',
  fields: (t) => ({
    field: t.field({
      type: TrackStat,
      required: true,
      defaultValue: TRACK_STAT.SCORE,
      description:
        'What to order by; any but RELEASE_DATE, which the service does not list as an order.',
    }),
    period: t.field({
      type: StatPeriod,
      description:
        "Window of the statistic: the listing's own when left out (RANK and AIRPLAY_STREAMS: none); not for those marked `no period`. Wire: <period>.<stat>",
    }),
    direction: t.field(direction('DESC')),
  }),
})
