import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import type { Given } from '../upstream/client.ts'

type Path = GraphQLResolveInfo['path']

const keysOf = (path: Path | undefined): (string | number)[] =>
  path === undefined ? [] : [...keysOf(path.prev), path.key]

/** Tells once of each thing in the answer that it is past its freshness, how old it is and why. */
export const reportStale = (
  context: Context,
  thing: object,
  stale: NonNullable<Given['stale']>,
  path: Path | undefined,
): void => {
  if (context.toldStale.has(thing)) return
  context.toldStale.add(thing)
  context.staleParts.push({ path: keysOf(path), ...stale })
}
