import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import type { Request } from '../upstream/request.ts'
import { RANK } from '../upstream/turn.ts'
import { askerOf } from './credits-directive.ts'
import { spending } from './spends.ts'
import { reportStale } from './stale.ts'

/** A resolver that gives what one request gives, as it came; nothing where `requestOf` names none. */
export const answering = <Source, A, V>(
  requestOf: (source: Source, args: A) => Request<V> | null,
) =>
  spending(
    {
      sends: (source: Source, args: A) => {
        const request = requestOf(source, args)
        return request === null ? [] : [request]
      },
    } as never,
    async (source: Source, args: A, context: Context, info: GraphQLResolveInfo) => {
      const request = requestOf(source, args)
      if (request === null) return null
      const asker = askerOf(info)
      const { value, stale } = await context.upstream.call(request, context.operation, {
        ...asker,
        rank: asker.rank ?? (request.endpoint.credits === 2 ? RANK.LOW : RANK.NORMAL),
      })
      if (stale !== undefined) reportStale(context, info.path, stale, info.path)
      return value
    },
  )
