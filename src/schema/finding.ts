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

/** One slot of a list asked by ids: what fails there leaves the other slots standing. */
const slot = <T>(of: () => T): T | Promise<never> => {
  try {
    return of()
  } catch (failure) {
    return Promise.reject(failure)
  }
}

/** A resolver that finds one entity; `idOf` takes its id from the arguments. */
export const findingOne = <E, Id, A>({ seek, find }: Finder<E, Id>, idOf: (args: A) => Id) =>
  spending(
    { looksUp: ((args: A) => sought(seek, idOf(args))) as never },
    (_query: object, args: A, context: Context, info: GraphQLResolveInfo) =>
      find(idOf(args), context, info),
  )

/** A resolver that finds entities, in the order of their ids. */
export const findingMany = <E, Id, A>(
  { seek, find }: Finder<E, Id>,
  idsOf: (args: A) => readonly Id[],
  more: Spends = {},
) =>
  spending(
    { ...more, looksUp: ((args: A) => idsOf(args).flatMap((id) => sought(seek, id))) as never },
    (_query: object, args: A, context: Context, info: GraphQLResolveInfo) =>
      idsOf(args).map((id) => slot(() => find(id, context, info))),
  )
