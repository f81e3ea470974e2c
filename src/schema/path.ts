import type { GraphQLResolveInfo } from 'graphql'

export type Path = GraphQLResolveInfo['path']

/** Keys and places from the root of an answer down. */
export const keysOf = (path: Path | undefined): (string | number)[] =>
  path === undefined ? [] : [...keysOf(path.prev), path.key]
