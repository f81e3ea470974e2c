import { counters } from '../upstream/decode.ts'
import type { TrackStats as Stats } from '../upstream/endpoints/track-stat.ts'
import { builder } from './builder.ts'
import { Counter } from './counter.ts'

export const TrackStats = builder.objectRef<Stats>('TrackStats').implement({
  description:
    'Statistics of one period; what the row does not hold is null. Float, because percent periods have fractions; whole numbers are exact to 2^53.',
  fields: (t) => ({
    rank: t.expose('rank', { type: 'Float', description: 'Rank. Wire: rank' }),
    airplayStreams: t.expose('airplayStreams', {
      type: 'Float',
      description: 'Streams on the air. Wire: airplay_streams',
    }),
    platAPlays: t.expose('platAPlays', {
      type: 'Float',
      description: 'Plays on platA. Wire: platA_plays',
    }),
    platAPopularity: t.expose('platAPopularity', {
      type: 'Float',
      description: 'Popularity on platA. Wire: platA_popularity',
    }),
    platAPlaylistCount: t.expose('platAPlaylistCount', {
      type: 'Float',
      description: 'Playlists on platA. Wire: platA_playlist_count',
    }),
    platAPlaylistTotalReach: t.expose('platAPlaylistTotalReach', {
      type: 'Float',
      description: 'Reach of them. Wire: platA_playlist_total_reach',
    }),
    platAEditorialPlaylistCount: t.expose('platAEditorialPlaylistCount', {
      type: 'Float',
      description: 'Editorial playlists on platA. Wire: platA_ed_playlist_count',
    }),
    platAEditorialPlaylistTotalReach: t.expose('platAEditorialPlaylistTotalReach', {
      type: 'Float',
      description: 'Reach of them. Wire: platA_ed_playlist_total_reach',
    }),
    platBPlaylistCount: t.expose('platBPlaylistCount', {
      type: 'Float',
      description: 'Playlists on platB. Wire: platB_playlist_count',
    }),
    platCPlaylistCount: t.expose('platCPlaylistCount', {
      type: 'Float',
      description: 'Playlists on platC. Wire: platC_playlist_count',
    }),
    platDPosts: t.expose('platDPosts', {
      type: 'Float',
      description: 'Posts on platD. Wire: platD_posts',
    }),
    platDTopVideosLikes: t.expose('platDTopVideosLikes', {
      type: 'Float',
      description: 'Likes of top videos on platD. Wire: platD_top_videos_likes',
    }),
    platDTopVideosViews: t.expose('platDTopVideosViews', {
      type: 'Float',
      description: 'Views of top videos on platD. Wire: platD_top_videos_views',
    }),
    platEPlays: t.expose('platEPlays', {
      type: 'Float',
      description: 'Plays on platE. Wire: platE_plays',
    }),
    platGCount: t.expose('platGCount', {
      type: 'Float',
      description: 'Count on platG. Wire: platG_count',
    }),
    platHPlaylistCount: t.expose('platHPlaylistCount', {
      type: 'Float',
      description: 'Playlists on platH. Wire: platH_playlist_count',
    }),
    platJLikes: t.expose('platJLikes', {
      type: 'Float',
      description: 'Likes on platJ. Wire: platJ_likes',
    }),
    platJPlaylistCount: t.expose('platJPlaylistCount', {
      type: 'Float',
      description: 'Playlists on platJ. Wire: platJ_playlist_count',
    }),
    platJViews: t.expose('platJViews', {
      type: 'Float',
      description: 'Views on platJ. Wire: platJ_views',
    }),
    platKPopularity: t.expose('platKPopularity', {
      type: 'Float',
      description: 'Popularity on platK. Wire: platK_popularity',
    }),
    platVStreams: t.expose('platVStreams', {
      type: 'Float',
      description: 'Streams on platV. Wire: platV_streams',
    }),
    counters: t.field({
      type: [Counter],
      nullable: false,
      description: 'Every statistic of the period, by wire name.',
      args: { names: t.arg.stringList({ description: 'Only these wire names.' }) },
      resolve: (row, { names }) => counters(row, names),
    }),
  }),
})
