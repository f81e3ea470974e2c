import { additionalFields } from '../upstream/decode.ts'
import { statArtist } from '../upstream/endpoints/artist.ts'
import {
  ARTIST_STAT,
  artistsByStat,
  type ArtistStatRow as StatRow,
} from '../upstream/endpoints/artist-stat.ts'
import { viewOf } from '../upstream/window.ts'
import { Artist } from './artist.ts'
import { artistsOf } from './artist-credit.ts'
import { ListenerPlace } from './artist-statistics.ts'
import { builder } from './builder.ts'
import { connectionOf, forward } from './connection.ts'
import { valuesOf } from './enum.ts'
import { pagedField } from './listing.ts'
import { spending } from './spends.ts'

const ArtistStat = builder.enumType('ArtistStat', {
  description:
    'Statistics by which artists are listed. Short wire prefixes (fs, ins, ts, ycs, ws, bs) are read as the platform whose row field matches: inferred, not documented.',
  values: valuesOf(ARTIST_STAT, {
    RANK: 'Rank among all artists. Wire: cm_artist_rank',
    PLAT_A_FOLLOWERS: 'Followers on platA. Wire: sp_followers',
    PLAT_A_MONTHLY_LISTENERS: 'Listeners of a month on platA. Wire: sp_monthly_listeners',
    PLAT_A_POPULARITY: 'Popularity on platA. Wire: sp_popularity',
    PLAT_A_LISTENERS_TO_FOLLOWERS_RATIO:
      'Listeners per follower on platA. Wire: sp_listeners_to_followers_ratio',
    PLAT_A_FOLLOWERS_TO_LISTENERS_RATIO:
      'Followers per listener on platA. Wire: sp_followers_to_listeners_ratio',
    PLAT_B_FANS: 'Fans on platB. Wire: platB_fans',
    PLAT_D_FOLLOWERS: 'Followers on platD. Wire: platD_followers',
    PLAT_D_LIKES: 'Likes on platD. Wire: platD_likes',
    PLAT_E_FOLLOWERS: 'Followers on platE. Wire: platE_followers',
    PLAT_J_CHANNEL_VIEWS:
      'Views of the channel on platJ; row field platJ_channel_views. Wire: ycs_views',
    PLAT_J_SUBSCRIBERS: 'Subscribers on platJ; row field platJ_subscribers. Wire: ycs_subscribers',
    PLAT_J_DAILY_VIDEO_VIEWS: 'Video views of a day on platJ. Wire: platJ_daily_video_views',
    PLAT_J_MONTHLY_VIDEO_VIEWS: 'Video views of a month on platJ. Wire: platJ_monthly_video_views',
    PLAT_L_LIKES: 'Likes on platL; row field platL_likes. Wire: fs_likes',
    PLAT_L_TALKS: 'Talks on platL; row field platL_talks. Wire: fs_talks',
    PLAT_M_FOLLOWERS: 'Followers on platM; row field platM_followers. Wire: ts_followers',
    PLAT_M_RETWEETS: 'Retweets on platM; row field platM_retweets. Wire: ts_retweets',
    PLAT_N_FOLLOWERS: 'Followers on platN; row field platN_followers. Wire: ins_followers',
    PLAT_O_VIEWS: 'Views on platO; row field platO_views. Wire: ws_views',
    PLAT_P_FOLLOWERS: 'Followers on platP; row field platP_followers. Wire: bs_followers',
  }),
})

const ArtistStatRow = builder.objectRef<StatRow>('ArtistStatRow').implement({
  description: 'An artist in a listing by statistic, with the counters of that row.',
  fields: (t) => ({
    artist: t.field({
      type: Artist,
      description: 'The artist; name and country are free. Wire: cm_artist_id, name, code2',
      resolve: spending(
        { tells: statArtist.columns },
        ({ artist }: StatRow) => artist && artistsOf([artist])[0],
      ),
    }),
    genres: t.expose('genres', {
      type: ['String'],
      nullable: false,
      description: 'Genres; comma-separated on the wire. Wire: genres',
    }),
    isSigned: t.expose('isSigned', {
      type: 'Boolean',
      description: 'Whether under contract. Wire: signed',
    }),
    rank: t.expose('rank', { type: 'Int', description: 'Rank among all artists. Wire: cpp_rank' }),
    engagementRank: t.expose('engagementRank', {
      type: 'Int',
      description: 'Rank by engagement (`eg` read so). Wire: rank_eg',
    }),
    fanBaseRank: t.expose('fanBaseRank', {
      type: 'Int',
      description: 'Rank by fan base (`fb` read so). Wire: rank_fb',
    }),
    platAPopularity: t.expose('platAPopularity', {
      type: 'Int',
      description: 'Popularity on platA. Wire: platA_popularity',
    }),
    platAFollowers: t.expose('platAFollowers', {
      type: 'BigInt',
      description: 'Followers on platA. Wire: platA_followers',
    }),
    platAMonthlyListeners: t.expose('platAMonthlyListeners', {
      type: 'BigInt',
      description: 'Listeners of a month on platA. Wire: platA_monthly_listeners',
    }),
    platAListenersToFollowersRatio: t.expose('platAListenersToFollowersRatio', {
      type: 'Float',
      description: 'Listeners per follower. Wire: platA_listeners_to_followers_ratio',
    }),
    platAFollowersToListenersRatio: t.expose('platAFollowersToListenersRatio', {
      type: 'Float',
      description: 'Followers per listener. Wire: platA_followers_to_listeners_ratio',
    }),
    platAWherePeopleListen: t.expose('platAWherePeopleListen', {
      type: [ListenerPlace],
      nullable: false,
      description: 'Where people listen on platA. Wire: sp_where_people_listen',
    }),
    platBFans: t.expose('platBFans', {
      type: 'BigInt',
      description: 'Fans on platB. Wire: platB_fans',
    }),
    platDFollowers: t.expose('platDFollowers', {
      type: 'BigInt',
      description: 'Followers on platD. Wire: platD_followers',
    }),
    platDLikes: t.expose('platDLikes', {
      type: 'BigInt',
      description: 'Likes on platD. Wire: platD_likes',
    }),
    platEFollowers: t.expose('platEFollowers', {
      type: 'BigInt',
      description: 'Followers on platE. Wire: platE_followers',
    }),
    platJChannelViews: t.expose('platJChannelViews', {
      type: 'BigInt',
      description: 'Views of the channel on platJ. Wire: platJ_channel_views',
    }),
    platJSubscribers: t.expose('platJSubscribers', {
      type: 'BigInt',
      description: 'Subscribers on platJ. Wire: platJ_subscribers',
    }),
    platJDailyVideoViews: t.expose('platJDailyVideoViews', {
      type: 'BigInt',
      description: 'Video views of a day on platJ. Wire: platJ_daily_video_views',
    }),
    platJMonthlyVideoViews: t.expose('platJMonthlyVideoViews', {
      type: 'BigInt',
      description: 'Video views of a month on platJ. Wire: platJ_monthly_video_views',
    }),
    platLLikes: t.expose('platLLikes', {
      type: 'BigInt',
      description: 'Likes on platL. Wire: platL_likes',
    }),
    platLTalks: t.expose('platLTalks', {
      type: 'BigInt',
      description: 'Talks on platL. Wire: platL_talks',
    }),
    platMFollowers: t.expose('platMFollowers', {
      type: 'BigInt',
      description: 'Followers on platM. Wire: platM_followers',
    }),
    platMRetweets: t.expose('platMRetweets', {
      type: 'BigInt',
      description: 'Retweets on platM. Wire: platM_retweets',
    }),
    platNFollowers: t.expose('platNFollowers', {
      type: 'BigInt',
      description: 'Followers on platN. Wire: platN_followers',
    }),
    platOViews: t.expose('platOViews', {
      type: 'BigInt',
      description: 'Views on platO. Wire: platO_views',
    }),
    platPFollowers: t.expose('platPFollowers', {
      type: 'BigInt',
      description: 'Followers on platP. Wire: platP_followers',
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

const ArtistStatFilter = builder.inputType('ArtistStatFilter', {
  description: 'Which artists of a listing by statistic.',
  fields: (t) => ({
    countryCode: t.field({ type: 'CountryCode', description: 'Country. Wire: code2' }),
    genreId: t.field({ type: 'Int', description: 'Genre. Wire: genreId' }),
    subGenreId: t.field({ type: 'Int', description: 'Sub-genre. Wire: subGenreId' }),
    city: t.field({ type: 'String', description: 'City with most listeners. Wire: city' }),
    unsignedOnly: t.field({
      type: 'Boolean',
      defaultValue: false,
      description: 'Only unsigned artists. Wire: unsigned',
    }),
  }),
})

const { connection } = connectionOf(
  'ArtistStat',
  ArtistStatRow,
  'Artists by a statistic; ends by a short page.',
)
const view = viewOf(artistsByStat)

builder.queryField('artistsByStat', (t) =>
  pagedField(t, {
    type: connection,
    description:
      'Artists whose statistic lies in a range; 1 credit for 200. Wire: GET /api/artist/{type}/list',
    args: {
      stat: t.arg({
        type: ArtistStat,
        required: true,
        description: 'Statistic of the range. Wire: type',
      }),
      min: t.arg({
        type: 'BigInt',
        required: true,
        description: 'Least value, inclusive, 0 or more. Wire: min',
      }),
      max: t.arg({
        type: 'BigInt',
        required: true,
        description: 'Greatest value, inclusive, 0 or more. Wire: max',
      }),
      filter: t.arg({ type: ArtistStatFilter, description: 'Which artists.' }),
      ...forward(t.arg),
    },
    ask: (_query, { stat, min, max, filter, ...paging }) => ({
      view,
      args: { stat, min, max, ...filter },
      paging,
    }),
    node: (row) => row,
  }),
)
