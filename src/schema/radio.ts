import { additionalFields } from '../upstream/decode.ts'
import { type RadioStationRow, radioStations } from '../upstream/endpoints/radio.ts'
import { viewOf } from '../upstream/window.ts'
import { builder } from './builder.ts'
import { bothWays, connectionOf } from './connection.ts'
import { pagedField } from './listing.ts'

const RadioStation = builder.objectRef<RadioStationRow>('RadioStation').implement({
  description: 'A radio station.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Global id.',
      resolve: ({ cmId }) => `RadioStation:${cmId}`,
    }),
    cmId: t.int({
      nullable: false,
      description: "The service's number. Wire: id",
      resolve: ({ cmId }) => cmId ?? 0,
    }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
    genre: t.expose('genre', { type: 'String', description: 'Genre. Wire: genre' }),
    frequency: t.expose('frequency', { type: 'String', description: 'Frequency. Wire: frequency' }),
    market: t.expose('market', { type: 'String', description: 'Market. Wire: market' }),
    broadcastArea: t.expose('broadcastArea', {
      type: 'String',
      description: 'Area where it is heard. Wire: broadcast_area',
    }),
    country: t.expose('country', {
      type: 'String',
      description: 'Country, as written. Wire: country',
    }),
    stationState: t.expose('stationState', {
      type: 'String',
      description: 'State. Wire: station_state',
    }),
    imageUrl: t.expose('imageUrl', { type: 'URL', description: 'Picture. Wire: image_url' }),
    averageQuarterHour: t.expose('averageQuarterHour', {
      type: 'BigInt',
      description: 'Listeners in an average quarter hour. Wire: aqh',
    }),
    platform: t.expose('platform', {
      type: 'String',
      description: 'Platform, as written. Wire: platform',
    }),
    platLFollowers: t.expose('platLFollowers', {
      type: 'BigInt',
      description: 'Followers on platL. Wire: platL_followers',
    }),
    platLLikes: t.expose('platLLikes', {
      type: 'BigInt',
      description: 'Likes on platL. Wire: platL_likes',
    }),
    platMFollowers: t.expose('platMFollowers', {
      type: 'BigInt',
      description: 'Followers on platM. Wire: platM_followers',
    }),
    platNFollowers: t.expose('platNFollowers', {
      type: 'BigInt',
      description: 'Followers on platN. Wire: platN_followers',
    }),
    platOViews: t.expose('platOViews', {
      type: 'BigInt',
      description: 'Views on platO. Wire: platO_views',
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

const { connection } = connectionOf(
  'RadioStation',
  RadioStation,
  'Radio stations; unpaged upstream, sliced here.',
)
const view = viewOf(radioStations)

builder.queryField('radioStations', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Radio stations; 1 credit for all. Wire: GET /api/radio/station-list',
    args: {
      countryCode: t.arg({ type: 'CountryCode', description: 'Only of this country. Wire: code2' }),
      ...bothWays(t.arg),
    },
    ask: (_query, { countryCode, ...paging }) => ({ view, args: { countryCode }, paging }),
    node: (row) => row,
  }),
)
