import { readFileSync } from 'node:fs'
import { composeServices } from '@theguild/federation-composition'
import { buildSchema, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { TICKETS } from '../federation/page.ts'
import { openRun } from '../support/run.ts'

const SHOP = parse(TICKETS)
/** Another subgraph of Relay's kind. */
const RELAY = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])
  interface Node { id: ID! }
  type Query { node(id: ID!): Node nodes(ids: [ID!]!): [Node]! shows(first: Int, after: String): ShowConnection }
  type Show implements Node @key(fields: "id") { id: ID! artist: Artist }
  type Artist @key(fields: "id") { id: ID! shows(first: Int): ShowConnection }
  type ShowConnection { edges: [ShowEdge!]! pageInfo: PageInfo! }
  type ShowEdge { cursor: String! node: Show! }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
`)

const sdlOf = async (env: Record<string, string> = {}) => {
  const { query, close } = await openRun({ env })
  const { data, errors } = await query('{ _service { sdl } }')
  await close()
  expect(errors).toEqual([])
  return String(data._service.sdl)
}

const compose = (sdl: string, other: ReturnType<typeof parse>) =>
  composeServices([
    { name: 'refrain', url: 'http://127.0.0.1/graphql', typeDefs: parse(sdl) },
    { name: 'other', url: 'http://127.0.0.2/graphql', typeDefs: other },
  ])

/** What clients of the router see. */
const faceOf = ({ publicSdl }: ReturnType<typeof composeServices>) => buildSchema(publicSdl ?? '')

describe('the subgraph', () => {
  test('is schema.subgraph.graphql, word for word', async () => {
    expect(`${await sdlOf()}\n`).toBe(readFileSync('schema.subgraph.graphql', 'utf8'))
  })

  test('names artists, tracks, albums and venues by both of their ids, and nothing else', async () => {
    const sdl = await sdlOf()
    const keyed = [...sdl.matchAll(/^type (\w+).*? @key\(fields: "id"\) @key\(fields: "cmId"\)/gm)]
    expect(keyed.map(([, name]) => name)).toEqual(['Album', 'Artist', 'Track', 'Venue'])
    expect(sdl.match(/@key/g)).toHaveLength(1 + 2 * keyed.length)
  })

  test('composes with a shop that knows artists by cmId and venues by number', async () => {
    const composed = compose(await sdlOf(), SHOP)
    expect(composed.errors).toBeUndefined()
    // What a router counts by: the composers keep it, and both directives' definitions.
    expect(composed.supergraphSdl).toMatch(/^type Artist\b[^{]*@cost\(weight: 1\)/m)
    expect(composed.supergraphSdl).toMatch(/^type VenueEdge\b[^{]*@cost\(weight: 0\)/m)
    expect(composed.supergraphSdl).toMatch(/wherePeopleListen[^)]*\): JSON @cost\(weight: 2\)/)
    expect(composed.supergraphSdl).toContain('slicingArguments: ["first", "last"]')
    const face = faceOf(composed)
    const root = Object.keys(face.getQueryType()?.getFields() ?? {})
    expect(root).toEqual(expect.arrayContaining(['artist', 'charts', 'node', 'shows']))
    expect(root).not.toContain('credits')
    expect(root.filter((name) => name.startsWith('_'))).toEqual([])
    expect(face.getType('Artist')).toHaveProperty('_fields.shows')
    expect(face.getType('Artist')).toHaveProperty('_fields.careerStatus')
  })

  test('composes with another Relay subgraph where NODE_INTERFACE is off, and only there', async () => {
    expect(compose(await sdlOf(), RELAY).errors?.map(({ message }) => message)).toEqual([
      expect.stringContaining('Query.node'),
      expect.stringContaining('Query.nodes'),
    ])
    const composed = compose(await sdlOf({ NODE_INTERFACE: 'off' }), RELAY)
    expect(composed.errors).toBeUndefined()
    expect(Object.keys(faceOf(composed).getQueryType()?.getFields() ?? {})).toContain('node')
  })

  test('still answers node and nodes to those who ask directly where NODE_INTERFACE is off', async () => {
    const { query, close } = await openRun({ env: { NODE_INTERFACE: 'off' } })
    const { data, errors } = await query('{ node(id: "Artist:5") { id } }')
    await close()
    expect(errors).toEqual([])
    expect(data).toEqual({ node: { id: 'Artist:5' } })
  })
})
