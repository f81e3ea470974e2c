import { additionalFields } from '../upstream/decode.ts'
import {
  EVENT_SIZE,
  FESTIVAL_ORDER,
  type FestivalRow,
  festivals,
  type FestivalLinks as Links,
} from '../upstream/endpoints/festival.ts'
import { viewOf } from '../upstream/window.ts'
import { builder } from './builder.ts'
import { connectionOf, forward } from './connection.ts'
import { valuesOf } from './enum.ts'
import { Genre } from './genre.ts'
import { pagedField } from './listing.ts'
import { direction, orderedBy } from './order.ts'

const FestivalLinks = builder.objectRef<Links>('FestivalLinks').implement({
  description: 'Pages of a festival.',
  fields: (t) => ({
    platQ: t.expose('platQ', { type: 'URL', description: 'Page on platQ. Wire: platQ' }),
    platR: t.expose('platR', { type: 'URL', description: 'Page on platR. Wire: platR' }),
    platS: t.expose('platS', { type: 'URL', description: 'Page on platS. Wire: platS' }),
  }),
})

const Festival = builder.objectRef<FestivalRow>('Festival').implement({
  description: 'A festival.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Global id.',
      resolve: ({ cmId }) => `Festival:${cmId}`,
    }),
    cmId: t.int({
      nullable: false,
      description: "The service's number. Wire: id",
      resolve: ({ cmId }) => cmId ?? 0,
    }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
    date: t.expose('date', {
      type: 'Date',
      description: 'First day, the date part as written. Wire: date',
    }),
    startsAt: t.expose('startsAt', {
      type: 'LocalDateTime',
      description: 'Start on the clock of the place, no zone. Wire: date',
    }),
    numberOfDays: t.expose('numberOfDays', {
      type: 'Int',
      description: 'Length, days. Wire: numberOfDays',
    }),
    city: t.expose('city', { type: 'String', description: 'City. Wire: city' }),
    countryCode: t.expose('countryCode', {
      type: 'CountryCode',
      description: 'Country. Wire: country',
    }),
    performerCount: t.expose('performerCount', {
      type: 'Int',
      description: 'Performers. Wire: performersCount',
    }),
    popularityRank: t.expose('popularityRank', {
      type: 'Int',
      description: 'Rank by popularity. Wire: popularityRank',
    }),
    eventSize: t.expose('eventSize', {
      type: 'String',
      description: 'Size as shown, with its range. Wire: eventSize',
    }),
    topGenres: t.expose('topGenres', {
      type: [Genre],
      nullable: false,
      description: 'Main genres. Wire: topGenres',
    }),
    links: t.expose('links', { type: FestivalLinks, description: 'Pages. Wire: links' }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

const EventSize = builder.enumType('EventSize', {
  description: 'Size of a festival.',
  values: valuesOf(EVENT_SIZE, {
    SMALL: 'Wire: small',
    MEDIUM: 'Wire: medium',
    LARGE: 'Wire: large',
    MEGA: 'Wire: mega',
  }),
})

const FestivalFilter = builder.inputType('FestivalFilter', {
  description: 'Which festivals.',
  fields: (t) => ({
    countryCodes: t.field({
      type: ['CountryCode'],
      description: 'Any of these countries. Wire: code2s[]',
    }),
    genreIds: t.field({ type: ['Int'], description: 'Any of these genres. Wire: genreIds[]' }),
    eventSizes: t.field({
      type: [EventSize],
      description: 'Any of these sizes. Wire: eventSizes[]',
    }),
    name: t.field({
      type: 'String',
      description: 'Part of the name, at most 100 characters. Wire: name',
    }),
  }),
})

const FestivalOrderField = builder.enumType('FestivalOrderField', {
  description: 'What festivals are ordered by. Wire: sortColumn',
  values: valuesOf(FESTIVAL_ORDER, {
    RANK: 'Wire: rank',
    SCORE: 'Wire: score',
    NAME: 'Wire: festivalName',
    START_DATE: 'Wire: startDate',
    NUMBER_OF_DAYS: 'Wire: numberOfDays',
    EVENT_SIZE: 'Wire: eventSize',
    TOTAL_EDITIONS: 'Wire: totalEditions',
  }),
})

const FestivalOrder = builder.inputType('FestivalOrder', {
  description: 'Order of festivals.',
  fields: (t) => ({
    field: t.field({
      type: FestivalOrderField,
      required: true,
      defaultValue: FESTIVAL_ORDER.START_DATE,
      description: 'What to order by.',
    }),
    direction: t.field(direction('ASC')),
  }),
})

const { connection } = connectionOf('Festival', Festival, 'Festivals; ends by a short page.')
const view = viewOf(festivals)

builder.queryField('festivals', (t) =>
  pagedField(t, {
    type: connection,
    description: 'Festivals. Wire: GET /api/festival/list',
    args: {
      filter: t.arg({ type: FestivalFilter, description: 'Which festivals.' }),
      orderBy: t.arg({
        type: FestivalOrder,
        description: 'Order; START_DATE ascending when left out.',
      }),
      ...forward(t.arg),
    },
    ask: (_query, { filter, orderBy, ...paging }) => ({
      view,
      args: {
        ...filter,
        ...orderedBy(orderBy),
      },
      paging,
    }),
    node: (row) => row,
  }),
)
