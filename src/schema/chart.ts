import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import type { Endpoint } from '../upstream/endpoint.ts'
import type { Args } from '../upstream/params.ts'
import { request } from '../upstream/request.ts'
import { builder } from './builder.ts'
import { reportStale } from './stale.ts'

/** The charts; each adds its own field. */
export const Charts = builder.objectRef<object>('Charts').implement({
  description: 'Ranked lists per platform. Without a date: the latest.',
})

builder.queryField('charts', (t) =>
  t.field({
    type: Charts,
    nullable: false,
    description: 'Ranked lists per platform.',
    resolve: () => ({}),
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
export const choices = async (
  endpoint: Endpoint,
  args: Args,
  context: Context,
  info: GraphQLResolveInfo,
) => {
  const given = await context.upstream.call(request(endpoint, args), context.operation)
  if (given.stale !== undefined) reportStale(context, given, given.stale, info.path)
  return given.value
}
