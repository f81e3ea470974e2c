import { type PlatGEntry, platGChart, platGCities } from '../../upstream/endpoints/chart-plat-g.ts'
import { viewOf } from '../../upstream/window.ts'
import { builder } from '../builder.ts'
import { Charts, choices, dateArg, edition } from '../chart.ts'
import { ChartEntry } from '../chart-entry.ts'
import { addBase, TrackChartEntry } from '../chart-track-entry.ts'
import { connectionOf, forward } from '../connection.ts'
import { pagedField } from '../listing.ts'

const PlatGChartEntry = builder.objectRef<PlatGEntry>('PlatGChartEntry').implement({
  description: "A track's place on the platG chart.",
  interfaces: [TrackChartEntry, ChartEntry],
  fields: (t) => ({
    countryCode: t.expose('countryCode', {
      type: 'CountryCode',
      description: 'Country of the chart, null on GLOBAL. Wire: code2',
    }),
    city: t.expose('city', { type: 'String', description: 'City of the chart. Wire: city' }),
    genre: t.expose('genre', { type: 'String', description: 'Genre of the chart. Wire: genre' }),
    platGCount: t.expose('platGCount', {
      type: 'BigInt',
      description: 'Recognitions. Wire: num_of_platGs',
    }),
    countriesChartingCount: t.expose('countriesChartingCount', {
      type: 'Int',
      description: 'Countries where it charts. Wire: countries_charting_count',
    }),
    platGTrackId: t.expose('platGTrackId', {
      type: 'ID',
      description: "The platform's id of the track. Wire: platG_track_id",
    }),
    platHId: t.expose('platHId', { type: 'ID', description: 'Id on platH. Wire: platH_id' }),
    platHTrackIds: t.expose('ownPlatHTrackIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of the track on platH, one or many on the wire. Wire: platH_track_id',
    }),
    platHAlbumIds: t.expose('ownPlatHAlbumIds', {
      type: ['ID'],
      nullable: false,
      description: 'Ids of the album on platH. Wire: platH_album_id',
    }),
  }),
})
addBase(PlatGChartEntry)

const { connection } = connectionOf(
  'PlatGChart',
  PlatGChartEntry,
  'A platG chart; ends by an empty page; page size unknown.',
)
const view = viewOf(platGChart)
const AREA = 'Country in capitals or GLOBAL. Wire: country_code'

builder.objectFields(Charts, (t) => ({
  platG: pagedField(t, {
    type: connection,
    description: 'Tracks of platG. Wire: GET /api/charts/platG',
    args: {
      countryCode: t.arg.string({ required: true, description: AREA }),
      city: t.arg.string({
        description: 'City, one of `platGCities`; GLOBAL may know none. Wire: city',
      }),
      genre: t.arg.string({
        description: 'Genre, an open list (rock, film-tv-and-stage, …); left out: all. Wire: genre',
      }),
      date: dateArg(t.arg),
      ...forward(t.arg),
    },
    ask: (_charts, { countryCode, city, genre, date, ...paging }) => ({
      view,
      args: { countryCode, city, genre, ...edition(date) },
      paging,
    }),
    node: (row) => row,
  }),
  platGCities: t.field({
    type: 'JSON',
    description:
      'Cities of the platG chart; shape not documented. Wire: GET /api/charts/platG/{country_code}/cities',
    args: { countryCode: t.arg.string({ required: true, description: AREA }) },
    resolve: choices(platGCities),
  }),
}))
