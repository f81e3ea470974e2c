import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { schema } from '../../src/schema/index.ts'
import { spendsOf } from '../../src/schema/spends.ts'
import type { endpoints } from '../../src/upstream/endpoints/index.ts'
import type { Args } from '../../src/upstream/params.ts'

export type EndpointName = keyof typeof endpoints

/** How a client comes to an endpoint, and arguments with which the sandbox answers it in a few rows. */
export interface Asking {
  /** Fields from the root down, with their arguments. */
  readonly fields: readonly string[]
  readonly args: Args
}

const PAGE = 'first: 3'
const LATEST = { latest: true }
const of =
  (parent: string) =>
  (field: string): Asking => ({
    fields: [parent, 'premium', field],
    args: { cmId: 5 },
  })
const ofArtist = of('artist(cmId: 5)')
const ofTrack = of('track(cmId: 5)')
const chart = (field: string, args: Args = {}): Asking => ({
  fields: ['charts', field],
  args: { ...LATEST, ...args },
})
const searched = { query: 'river', limit: 3 }

/** One way to every endpoint. */
export const ASKINGS: Readonly<Record<EndpointName, Asking>> = {
  artist: { fields: ['artist(cmId: 5)'], args: { cmId: 5 } },
  track: { fields: ['track(cmId: 5)'], args: { cmId: 5 } },
  album: { fields: ['album(cmId: 5)'], args: { cmId: 5 } },
  artistsByStat: {
    fields: [`artistsByStat(stat: PLAT_A_FOLLOWERS, min: 0, max: 99999999, ${PAGE})`],
    args: { stat: 'sp_followers', min: 0, max: 99999999, limit: 3 },
  },
  playlistsPlatB: { fields: [`playlists(platform: PLAT_B, ${PAGE})`], args: { limit: 3 } },
  playlistsPlatC: { fields: [`playlists(platform: PLAT_C, ${PAGE})`], args: { limit: 3 } },
  platAArtistChart: chart(`platAArtists(type: FOLLOWERS, interval: DAILY, ${PAGE})`, {
    type: 'followers',
    interval: 'daily',
  }),
  platBChart: chart(`platB(countryCode: "US", ${PAGE})`, { countryCode: 'US' }),
  platDTrackChart: chart(`platDTracks(${PAGE})`, { limit: 3 }),
  platEChart: chart(`platE(countryCode: "GLOBAL", kind: TOP, genre: "latin", ${PAGE})`, {
    countryCode: 'GLOBAL',
    kind: 'top',
    genre: 'latin',
    raw: false,
  }),
  platFChart: chart(`platF(genre: "techno", ${PAGE})`, { genre: 'techno' }),
  platFGenres: { fields: ['charts', 'platFGenres'], args: {} },
  platGChart: chart(`platG(countryCode: "US", ${PAGE})`, { countryCode: 'US' }),
  platGCities: {
    fields: ['charts', 'platGCities(countryCode: "US")'],
    args: { countryCode: 'US' },
  },
  platUChart: chart(`platU(${PAGE})`),
  tracksByFilter: { fields: [`tracksByStat(${PAGE})`], args: { limit: 3 } },
  venues: { fields: [`venues(${PAGE})`], args: { limit: 3 } },
  venueEvents: { fields: ['venue(cmId: "5")'], args: { cmId: '5', limit: 3 } },
  festivals: { fields: [`festivals(${PAGE})`], args: { limit: 3 } },
  radioStations: { fields: [`radioStations(${PAGE})`], args: {} },
  artistEvents: {
    fields: ['artist(cmId: 5)', `events(status: PAST, fromDaysAgo: 4000, toDaysAgo: 0, ${PAGE})`],
    args: { cmId: 5, status: 'past', fromDaysAgo: 4000, toDaysAgo: 0, limit: 3 },
  },
  streamEstimates: {
    fields: ['streamEstimates(trackCmIds: [5, 6])'],
    args: { trackCmIds: [5, 6] },
  },
  search: { fields: [`search(query: "river")`], args: searched },
  suggestions: {
    fields: [`suggestions(query: "river", ${PAGE})`],
    args: { ...searched, beta: true },
  },
  artistPlatNAudienceStats: ofArtist('platNAudienceStats'),
  artistPlatNAudienceStatsDates: ofArtist('platNAudienceStatsDates'),
  artistSocialAudienceStats: ofArtist('socialAudienceStats'),
  artistPlatDAudienceStats: ofArtist('platDAudienceStats'),
  artistPlatDInfluencerStats: ofArtist('platDInfluencerStats'),
  artistPlatDTopInfluencers: ofArtist('platDTopInfluencers'),
  artistPlatDTopVideos: ofArtist('platDTopVideos'),
  artistWherePeopleListen: ofArtist('wherePeopleListen'),
  artistPlatJAudienceStats: ofArtist('platJAudienceStats'),
  artistPlaylists: {
    fields: ['artist(cmId: 5)', 'premium', 'playlists(platform: "platA", status: "current")'],
    args: { cmId: 5, platform: 'platA', status: 'current' },
  },
  brandAudience: { fields: ['brand(cmId: "5")', 'audience'], args: { cmId: '5' } },
  trackPlatDInfluencerStats: ofTrack('platDInfluencerStats'),
  trackPlatDTopInfluencers: ofTrack('platDTopInfluencers'),
  trackPlatDTopSounds: ofTrack('platDTopSounds'),
  trackTopVideos: ofTrack('topVideos'),
}

type Field = GraphQLField<unknown, unknown>

/** Whether a field would send a request of its own besides the record of what it hangs on. */
const isCostly = (field: Field): boolean => {
  const { sends, asks, shares, looksUp } = spendsOf(field)
  return [sends, asks, shares, looksUp].some((spending) => spending !== undefined)
}
const isFree = (field: Field): boolean =>
  !isCostly(field) &&
  field.args.every(({ type, defaultValue }) => !isNonNullType(type) || defaultValue !== undefined)

const selectionOf = (type: GraphQLOutputType, depth: number, wanted: (field: Field) => boolean) => {
  const named = getNamedType(type)
  if (!isObjectType(named)) return ''
  const fields: string[] = Object.values(named.getFields())
    .filter(wanted)
    .flatMap((field) => {
      if (isLeafType(getNamedType(field.type))) return [field.name]
      const below: string = depth > 0 ? selectionOf(field.type, depth - 1, isFree) : ''
      return below === '' ? [] : [field.name + below]
    })
  return fields.length === 0 ? '' : `{${fields.join(' ')}}`
}

/** Of a page: its rows to the same depth, and what it tells of itself. */
const pageOf = (type: GraphQLOutputType, depth: number): string => {
  const named = getNamedType(type)
  const node = isObjectType(named) ? named.getFields().nodes : undefined
  if (node === undefined) return selectionOf(type, depth, isFree)
  return `{edges{cursor} pageInfo{hasNextPage endCursor truncated} totalCount nodes${selectionOf(node.type, depth, isFree)}}`
}

/** Buckets of a search are pages that take a request together. */
const searchOf = (type: GraphQLOutputType, depth: number): string => {
  const named = getNamedType(type)
  const buckets = isObjectType(named) ? Object.values(named.getFields()) : []
  return `{${buckets
    .map((bucket) => {
      const platform = bucket.args.some(({ name }) => name === 'platform')
        ? 'platform: PLAT_A, '
        : ''
      return `${bucket.name}(${platform}${PAGE})${pageOf(bucket.type, depth)}`
    })
    .join(' ')}}`
}

const typeAt = (fields: readonly string[]): GraphQLOutputType => {
  const root = schema.getQueryType()
  if (!root) throw new Error('the schema has no query')
  let type: GraphQLOutputType = root
  for (const name of fields.map((text) => text.split('(')[0] ?? '')) {
    const named: GraphQLNamedType = getNamedType(type)
    const field: Field | undefined = isObjectType(named) ? named.getFields()[name] : undefined
    if (field === undefined) throw new Error(`the schema has no ${name}`)
    type = field.type
  }
  return type
}

/** A query that asks an endpoint and looks at every scalar field of its answer, `depth` objects deep. */
export const queryOf = (endpoint: EndpointName, depth = 3): string => {
  const { fields } = ASKINGS[endpoint]
  const type = typeAt(fields)
  const below = endpoint === 'search' ? searchOf(type, 1) : pageOf(type, depth)
  const events = endpoint === 'venueEvents' ? ` events(${PAGE})` : ''
  const more =
    events === ''
      ? below
      : `${below.slice(0, -1)}${events}${pageOf(typeAt([...fields, 'events']), depth)}}`
  return `{${fields.join('{')}${more}${'}'.repeat(fields.length)}`
}
