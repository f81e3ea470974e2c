import { GatewayError } from '../errors.ts'
import type { Finder } from './entity.ts'
import { type Entity, nodes } from './node.ts'

/** What other subgraphs name by its keys. */
export const ENTITIES = ['Album', 'Artist', 'Track', 'Venue']

const noEntity = (representation: unknown): GatewayError =>
  new GatewayError(
    'BAD_USER_INPUT',
    `a representation must be one of ${ENTITIES.join(', ')}, with its id or its cmId, got ${String(JSON.stringify(representation)).slice(0, 100)}`,
    { argument: 'representations' },
  )

const isKey = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isSafeInteger(value)

/** The global id of what a router names; one that names two things names nothing. */
const globalIdOf = (representation: unknown): string => {
  if (typeof representation !== 'object' || representation === null) throw noEntity(representation)
  const { __typename: type, id, cmId } = representation as Readonly<Record<string, unknown>>
  const own = isKey(cmId) ? `${type}:${cmId}` : undefined
  const global = id ?? own
  const isSame = cmId === undefined || cmId === null || own === global
  if (typeof type !== 'string' || !ENTITIES.includes(type) || typeof global !== 'string' || !isSame)
    throw noEntity(representation)
  if (!global.startsWith(`${type}:`)) throw noEntity(representation)
  return global
}

/** Entities of any type, as routers name them. */
export const represented: Finder<Entity, unknown> = {
  seek: (representation) => nodes.seek(globalIdOf(representation)),
  find: (representation, context, info) => nodes.find(globalIdOf(representation), context, info),
}
