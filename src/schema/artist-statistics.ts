import { counters } from '../upstream/decode.ts'
import type { ArtistStatistics as Statistics } from '../upstream/endpoints/artist.ts'
import { builder } from './builder.ts'
import { Counter } from './counter.ts'

const CountryRank = builder
  .objectRef<NonNullable<Statistics['countryRank']>>('CountryRank')
  .implement({
    description: 'A rank within a country.',
    fields: (t) => ({
      countryCode: t.expose('countryCode', {
        type: 'CountryCode',
        description: 'Country. Wire: code2',
      }),
      country: t.expose('country', {
        type: 'String',
        description: 'Name of the country. Wire: country',
      }),
      rank: t.expose('rank', { type: 'Int', description: 'Rank, 1 is best. Wire: rank' }),
      percentile: t.expose('percentile', {
        type: 'Float',
        description: 'Percentile, with fraction. Wire: percentile',
      }),
    }),
  })

export const ListenerPlace = builder
  .objectRef<Statistics['platAWherePeopleListen'][number]>('ListenerPlace')
  .implement({
    description: 'A place where an artist is listened to.',
    fields: (t) => ({
      countryCode: t.expose('countryCode', {
        type: 'CountryCode',
        description: 'Country. Wire: code2',
      }),
      listeners: t.expose('listeners', {
        type: 'BigInt',
        description: 'Listeners. Wire: listeners',
      }),
      name: t.expose('name', { type: 'String', description: 'Name of the place. Wire: name' }),
    }),
  })

export const ArtistStatistics = builder.objectRef<Statistics>('ArtistStatistics').implement({
  description: 'Counters and ranks of an artist.',
  fields: (t) => ({
    rank: t.expose('rank', {
      type: 'Int',
      description: 'Rank among all artists. Wire: cm_artist_rank',
    }),
    fanBaseRank: t.expose('fanBaseRank', {
      type: 'Int',
      description: 'Rank by fan base. Wire: fan_base_rank',
    }),
    engagementRank: t.expose('engagementRank', {
      type: 'Int',
      description: 'Rank by engagement. Wire: engagement_rank',
    }),
    countryRank: t.expose('countryRank', {
      type: CountryRank,
      description: 'Rank in its country. Wire: countryRank',
    }),
    platAFollowers: t.expose('platAFollowers', {
      type: 'BigInt',
      description: 'Followers on platA. Wire: sp_followers',
    }),
    platAFollowersRank: t.expose('platAFollowersRank', {
      type: 'Int',
      description: 'Rank by them. Wire: sp_followers_rank',
    }),
    platAPopularity: t.expose('platAPopularity', {
      type: 'Int',
      description: 'Popularity on platA. Wire: sp_popularity',
    }),
    platAPopularityRank: t.expose('platAPopularityRank', {
      type: 'Int',
      description: 'Rank by it. Wire: sp_popularity_rank',
    }),
    platAMonthlyListeners: t.expose('platAMonthlyListeners', {
      type: 'BigInt',
      description: 'Listeners of a month on platA. Wire: sp_monthly_listeners',
    }),
    platAMonthlyListenersRank: t.expose('platAMonthlyListenersRank', {
      type: 'Int',
      description: 'Rank by them. Wire: sp_monthly_listeners_rank',
    }),
    platAWherePeopleListen: t.expose('platAWherePeopleListen', {
      type: [ListenerPlace],
      nullable: false,
      description: 'Where people listen on platA. Wire: sp_where_people_listen',
    }),
    platGCount: t.expose('platGCount', {
      type: 'BigInt',
      description: 'Count on platG. Wire: platG_count',
    }),
    platWPageViews: t.expose('platWPageViews', {
      type: 'BigInt',
      description: 'Page views on platW. Wire: platW_pageviews',
    }),
    counters: t.field({
      type: [Counter],
      nullable: false,
      description: 'Every counter and rank of the answer, by wire name.',
      args: { names: t.arg.stringList({ description: 'Only these wire names.' }) },
      resolve: (row, { names }) => counters(row, names),
    }),
  }),
})
