import type { Endpoint } from '../upstream/endpoint.ts'
import type { Args } from '../upstream/params.ts'
import { request } from '../upstream/request.ts'
import { answering } from './answering.ts'
import { builder } from './builder.ts'
import { purely } from './spends.ts'

/** The charts; each adds its own field. */
export const Charts = builder.objectRef<object>('Charts').implement({
  description: 'Ranked lists per platform. Without a date: the latest.',
})

builder.queryField('charts', (t) =>
  t.field({
    type: Charts,
    nullable: false,
    description: 'Ranked lists per platform.',
    resolve: purely(() => ({})),
  }),
)

type ArgBuilder = Parameters<
  Extract<Parameters<typeof builder.queryField>[1], (t: never) => unknown>
>[0]['arg']

/** The day of a chart. */
export const dateArg = (arg: ArgBuilder) =>
  arg({ type: 'Date', description: 'Chart day; left out: the latest. Wire: date, latest' })

/** The edition that a day names. */
export const edition = (date: string | null | undefined) =>
  date === null || date === undefined ? { latest: true } : { date }

/** What a chart can be asked for; the shape of the answer is not documented, so it is given as it came. */
export const choices = (endpoint: Endpoint) =>
  answering((_charts: object, args: Args) => request(endpoint, args))
