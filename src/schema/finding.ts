import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import { GatewayError } from '../errors.ts'
import type { Finder } from './entity.ts'
import { type Sought, type Spends, spending } from './spends.ts'

/** What an id looks up; one that will be refused looks up nothing. */
const sought = <Id>(seek: (id: Id) => Sought, id: Id): readonly Sought[] => {
  try {
    return [seek(id)]
  } catch (failure) {
    if (failure instanceof GatewayError) return []
    throw failure
  }
}

/** What was refused as one id, as what the client gave it in: a list. */
const within = (list: string, failure: unknown): unknown => {
  if (!(failure instanceof GatewayError)) return failure
  const { argument } = failure.facts
  if (argument === undefined || argument === list) return failure
  const message = failure.message.replace(argument, list)
  return new GatewayError(failure.code, message, { ...failure.facts, argument: list })
}

/** One slot of a list asked by ids: what fails there leaves the other slots standing. */
const slot = <T>(list: string, of: () => T): T | Promise<never> => {
  try {
    return of()
  } catch (failure) {
    return Promise.reject(within(list, failure))
  }
}

/** A resolver that finds one entity; `idOf` takes its id from the arguments. */
export const findingOne = <E, Id, A>({ seek, find }: Finder<E, Id>, idOf: (args: A) => Id) =>
  spending(
    { looksUp: ((args: A) => sought(seek, idOf(args))) as never },
    (_query: object, args: A, context: Context, info: GraphQLResolveInfo) =>
      find(idOf(args), context, info),
  )

/** A resolver that finds entities, in the order of their ids, which are the argument `list`. */
export const findingMany = <E, Id, List extends string>(
  { seek, find }: Finder<E, Id>,
  list: List,
  more: Spends = {},
) => {
  type Args = Readonly<Record<List, readonly Id[]>>
  return spending(
    { ...more, looksUp: ((args: Args) => args[list].flatMap((id) => sought(seek, id))) as never },
    (_query: object, args: Args, context: Context, info: GraphQLResolveInfo) =>
      args[list].map((id) => slot(list, () => find(id, context, info))),
  )
}
