import { GatewayError, quoted } from '../errors.ts'
import { known } from '../loaders/entity.ts'
import { VARIOUS_ARTISTS } from '../loaders/kind.ts'
import { brands } from './brand.ts'
import { builder } from './builder.ts'
import { type Finder, Node } from './entity.ts'
import { findingMany, findingOne } from './finding.ts'
import { albums, artists, tracks } from './look-up.ts'
import { venues } from './venue.ts'

export interface Entity {
  readonly cmId: number | string
}

const NUMBER = /^\d+$/

const noNumber = (given: string): GatewayError =>
  new GatewayError('BAD_USER_INPUT', `id: cmId must be a whole number, got ${quoted(given)}`, {
    argument: 'id',
  })

/** Finds by the digits of a number; what is refused is the id that was given. */
const byDigits = <E extends Entity>({ seek, find }: Finder<E, number>): Finder<E, string> => {
  const asking = <T>(digits: string, ask: (cmId: number) => T): T => {
    if (!NUMBER.test(digits)) throw noNumber(digits)
    try {
      return ask(Number(digits))
    } catch (failure) {
      if (!(failure instanceof GatewayError && failure.facts.argument === 'cmId')) throw failure
      throw new GatewayError(failure.code, `id: ${failure.message}`, { argument: 'id' })
    }
  }
  return {
    seek: (digits) => asking(digits, seek),
    find: (digits, context, info) => asking(digits, (cmId) => find(cmId, context, info)),
  }
}

/** The various artists are not to be asked for, but answers give their id: what rows tell of them is all there is. */
const artistsOfRows: Finder<Entity, number> = {
  seek: (cmId) => (cmId === VARIOUS_ARTISTS ? { type: 'Artist', cmId } : artists.seek(cmId)),
  find: (cmId, context, info) =>
    cmId === VARIOUS_ARTISTS ? known(cmId) : artists.find(cmId, context, info),
}

const kinds: Readonly<Record<string, Finder<Entity, string>>> = {
  Artist: byDigits(artistsOfRows),
  Track: byDigits(tracks),
  Album: byDigits(albums),
  Venue: venues,
  Brand: brands,
}

const noSuchId = (id: string): GatewayError =>
  new GatewayError(
    'BAD_USER_INPUT',
    `id must be a global id such as Artist:5, of ${Object.keys(kinds).join(', ')}, got ${quoted(id)}`,
    { argument: 'id' },
  )

const GLOBAL_ID = /^([A-Za-z]{1,20}):([A-Za-z0-9_-]{1,64})$/

const read = (id: string) => {
  const [, type = '', own = ''] = GLOBAL_ID.exec(id) ?? []
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (kind === undefined) throw noSuchId(id)
  return { type, own, kind }
}

/** Entities of any type, by their global ids; each says which type it is of. */
export const nodes: Finder<Entity, string> = {
  seek(id) {
    const { kind, own } = read(id)
    return kind.seek(own)
  },
  find(id, context, info) {
    const { kind, own, type } = read(id)
    const named = (entity: Entity | null) => entity && Object.assign(entity, { __typename: type })
    const found = kind.find(own, context, info)
    return found instanceof Promise ? found.then(named) : named(found)
  },
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    description: 'The object of a global id: Artist, Track, Album, Venue or Brand.',
    args: { id: t.arg.id({ required: true, description: 'Global id.' }) },
    resolve: findingOne(nodes, ({ id }: { readonly id: string }) => id),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: 'The objects of global ids, same order, null where missing.',
    args: { ids: t.arg.idList({ required: true, description: 'Global ids.' }) },
    resolve: findingMany(nodes, 'ids'),
  }),
}))
