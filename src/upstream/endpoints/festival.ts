import { hours } from '../calendar.ts'
import { row } from '../decode.ts'
import { listing } from '../endpoint.ts'
import { array as arrayEnvelope } from '../envelopes.ts'
import {
  array,
  bool as boolParam,
  country as countryParam,
  int as intParam,
  oneOf,
  query,
  text as textParam,
} from '../params.ts'
import { country, day, id, int, label, localMoment, one, text, url } from '../values.ts'
import { genres } from './genre.ts'

export const EVENT_SIZE = {
  SMALL: 'small',
  MEDIUM: 'medium',
  LARGE: 'large',
  MEGA: 'mega',
} as const

export const FESTIVAL_ORDER = {
  RANK: 'rank',
  SCORE: 'score',
  NAME: 'festivalName',
  START_DATE: 'startDate',
  NUMBER_OF_DAYS: 'numberOfDays',
  EVENT_SIZE: 'eventSize',
  TOTAL_EDITIONS: 'totalEditions',
} as const

const links = row({
  platQ: ['platQ', url],
  platR: ['platR', url],
  platS: ['platS', url],
} as const)
export type FestivalLinks = NonNullable<ReturnType<typeof links>>

const festival = row(
  {
    cmId: ['id', id],
    name: ['name', text],
    date: ['date', day],
    startsAt: ['date', localMoment],
    numberOfDays: ['numberOfDays', int],
    city: ['city', label],
    countryCode: ['country', country],
    performerCount: ['performersCount', int],
    popularityRank: ['popularityRank', int],
    eventSize: ['eventSize', text],
    topGenres: ['topGenres', genres],
    links: ['links', one(links)],
  } as const,
  'cmId',
)

/** A row of the festival listing. */
export type FestivalRow = NonNullable<ReturnType<typeof festival>>

export const festivals = listing({
  name: 'festivals',
  doc: 'Festivals, filtered and ordered.',
  route: 'GET /api/festival/list',
  params: {
    countryCodes: array('code2s', countryParam),
    genreIds: array('genreIds', intParam(0)),
    eventSizes: array('eventSizes', oneOf(EVENT_SIZE)),
    name: query('name', textParam(1, 100)),
    orderBy: query('sortColumn', oneOf(FESTIVAL_ORDER), { initial: FESTIVAL_ORDER.START_DATE }),
    isDescending: query('sortOrderDesc', boolParam, { initial: false }),
    offset: query('offset', intParam(0, 100_000)),
    limit: query('limit', intParam(1)),
  },
  envelope: arrayEnvelope,
  row: festival,
  end: 'short',
  windows: [100],
  freshFor: hours(6),
})
