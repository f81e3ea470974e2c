import { hours } from '../calendar.ts'
import { row } from '../decode.ts'
import { listing } from '../endpoint.ts'
import { lengthAndDataOrSentence } from '../envelopes.ts'
import {
  bool as boolParam,
  country as countryParam,
  inOrder,
  int as intParam,
  oneOf,
  path,
  query,
  text as textParam,
} from '../params.ts'
import { bool, commaList, count, float, int } from '../values.ts'
import { places, statArtist } from './artist.ts'
import { ofArtists } from './taught.ts'

export const ARTIST_STAT = {
  RANK: 'cm_artist_rank',
  PLAT_A_FOLLOWERS: 'sp_followers',
  PLAT_A_MONTHLY_LISTENERS: 'sp_monthly_listeners',
  PLAT_A_POPULARITY: 'sp_popularity',
  PLAT_A_LISTENERS_TO_FOLLOWERS_RATIO: 'sp_listeners_to_followers_ratio',
  PLAT_A_FOLLOWERS_TO_LISTENERS_RATIO: 'sp_followers_to_listeners_ratio',
  PLAT_B_FANS: 'platB_fans',
  PLAT_D_FOLLOWERS: 'platD_followers',
  PLAT_D_LIKES: 'platD_likes',
  PLAT_E_FOLLOWERS: 'platE_followers',
  PLAT_J_CHANNEL_VIEWS: 'ycs_views',
  PLAT_J_SUBSCRIBERS: 'ycs_subscribers',
  PLAT_J_DAILY_VIDEO_VIEWS: 'platJ_daily_video_views',
  PLAT_J_MONTHLY_VIDEO_VIEWS: 'platJ_monthly_video_views',
  PLAT_L_LIKES: 'fs_likes',
  PLAT_L_TALKS: 'fs_talks',
  PLAT_M_FOLLOWERS: 'ts_followers',
  PLAT_M_RETWEETS: 'ts_retweets',
  PLAT_N_FOLLOWERS: 'ins_followers',
  PLAT_O_VIEWS: 'ws_views',
  PLAT_P_FOLLOWERS: 'bs_followers',
} as const

const artistStat = row({
  artist: ['', statArtist],
  genres: ['genres', commaList],
  isSigned: ['signed', bool],
  rank: ['cpp_rank', int],
  engagementRank: ['rank_eg', int],
  fanBaseRank: ['rank_fb', int],
  platAPopularity: ['platA_popularity', int],
  platAFollowers: ['platA_followers', count],
  platAMonthlyListeners: ['platA_monthly_listeners', count],
  platAListenersToFollowersRatio: ['platA_listeners_to_followers_ratio', float],
  platAFollowersToListenersRatio: ['platA_followers_to_listeners_ratio', float],
  platAWherePeopleListen: ['sp_where_people_listen', places],
  platBFans: ['platB_fans', count],
  platDFollowers: ['platD_followers', count],
  platDLikes: ['platD_likes', count],
  platEFollowers: ['platE_followers', count],
  platJChannelViews: ['platJ_channel_views', count],
  platJSubscribers: ['platJ_subscribers', count],
  platJDailyVideoViews: ['platJ_daily_video_views', count],
  platJMonthlyVideoViews: ['platJ_monthly_video_views', count],
  platLLikes: ['platL_likes', count],
  platLTalks: ['platL_talks', count],
  platMFollowers: ['platM_followers', count],
  platMRetweets: ['platM_retweets', count],
  platNFollowers: ['platN_followers', count],
  platOViews: ['platO_views', count],
  platPFollowers: ['platP_followers', count],
} as const)

/** A row of the listing by statistic. */
export type ArtistStatRow = NonNullable<ReturnType<typeof artistStat>>

export const artistsByStat = listing({
  name: 'artistsByStat',
  doc: 'Artists whose statistic lies in a range.',
  route: 'GET /api/artist/{type}/list',
  params: {
    stat: path('type', oneOf(ARTIST_STAT)),
    min: query('min', intParam(0), { required: true }),
    max: query('max', intParam(0), { required: true }),
    countryCode: query('code2', countryParam),
    genreId: query('genreId', intParam(0)),
    subGenreId: query('subGenreId', intParam(0)),
    city: query('city', textParam(1)),
    unsignedOnly: query('unsigned', boolParam, { initial: false }),
    offset: query('offset', intParam(0, 100_000)),
    limit: query('limit', intParam(1, 200)),
  },
  rules: [inOrder('min', 'max')],
  envelope: lengthAndDataOrSentence,
  row: artistStat,
  teaches: ({ artist }) => ofArtists(artist),
  end: 'short',
  windows: [200],
  freshFor: hours(1),
})
