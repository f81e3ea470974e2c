import { GatewayError } from '../errors.ts'
import { known } from '../loaders/entity.ts'
import { VARIOUS_ARTISTS } from '../loaders/index.ts'
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

/** Nobody may ask for them, but a router sends back what an answer of ours named: what rows tell is all there is. */
const isVarious = (id: string) => id === `Artist:${VARIOUS_ARTISTS}`

/** Entities of any type, as routers name them. */
export const represented: Finder<Entity, unknown> = {
  seek(representation) {
    const id = globalIdOf(representation)
    return isVarious(id) ? { type: 'Artist', cmId: VARIOUS_ARTISTS } : nodes.seek(id)
  },
  find(representation, context, info) {
    const id = globalIdOf(representation)
    return isVarious(id)
      ? Object.assign(known(VARIOUS_ARTISTS), { __typename: 'Artist' })
      : nodes.find(id, context, info)
  },
}
