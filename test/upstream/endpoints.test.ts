import { type GraphQLField, type GraphQLNamedType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createSources } from '../../src/sandbox/source.ts'
import { createWorld } from '../../src/sandbox/world.ts'
import { schema } from '../../src/schema/index.ts'
import { spendsOf } from '../../src/schema/spends.ts'
import type { Endpoint } from '../../src/upstream/endpoint.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'

const PREMIUM = [
  'GET /api/artist/{id}/platN-audience-stats',
  'GET /api/artist/{id}/platN-audience-stats/dates',
  'GET /api/artist/{id}/social-audience-stats',
  'GET /api/artist/{id}/platD-audience-stats',
  'GET /api/artist/{id}/platD-influencer-stats',
  'GET /api/artist/{id}/platD-top-influencers',
  'GET /api/artist/{id}/platD-top-videos',
  'GET /api/artist/{id}/where-people-listen',
  'GET /api/artist/{id}/platJ-audience-stats',
  'GET /api/artist/{id}/{platform}/{status}/playlists',
  'GET /api/brand/v2/{brandId}/audience',
  'GET /api/track/{id}/platD-influencer-stats',
  'GET /api/track/{id}/platD-top-influencers',
  'GET /api/track/{id}/platD-top-sounds',
  'GET /api/track/{id}/topVideos',
]

const all: [string, Endpoint][] = Object.entries(endpoints)

describe.each(all)('the description of %s', (key, endpoint) => {
  const params = Object.values(endpoint.params)

  it('is registered under its own name', () => {
    expect(endpoint.name).toBe(key)
    expect(endpoint.doc).toMatch(/^[A-Z].*\.$/)
  })

  it('has a path parameter for each placeholder, and no other', () => {
    const placeholders = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = params.filter(({ place }) => place === 'path')
    expect(inPath.map(({ wire }) => wire).sort()).toEqual(placeholders.sort())
    expect(inPath.every(({ required }) => required)).toBe(true)
  })

  it('names each thing on the wire once', () => {
    const names = params.map(({ place, wire, many }) => `${place} ${wire}${many ? '[]' : ''}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('costs two credits where the specification lists it as premium, else one', () => {
    expect(endpoint.credits).toBe(PREMIUM.includes(endpoint.route) ? 2 : 1)
  })

  it('has rows in the sandbox', () => {
    expect(Object.keys(createSources(createWorld()))).toContain(key)
  })
})

it('every premium route is described', () => {
  expect(all.map(([, { route }]) => route)).toEqual(expect.arrayContaining(PREMIUM))
})

const sources = [5, '5'].map((cmId) => ({ cmId, query: 'a', kind: 'all' }) as never)
const VALUES: Readonly<Record<string, unknown>> = {
  stat: 'cm_artist_rank',
  min: 1,
  max: 2,
  query: 'a',
  kind: 'top',
  genre: 'latin',
  interval: 'daily',
  type: 'followers',
  status: 'past',
  fromDaysAgo: 1,
  toDaysAgo: 0,
  cmId: 5,
  cmIds: [5],
  id: 'Artist:5',
  ids: ['Track:5', 'Album:5', 'Venue:5'],
}

/** The endpoints that a field may send to, as it says itself; enumerations are tried value by value. */
const endpointsOf = (field: GraphQLField<unknown, unknown>): string[] => {
  const spends = spendsOf(field)
  const before = { fieldNodes: [], fragments: {}, variableValues: {} }
  const takes = new Set(field.args.map(({ name }) => name))
  const tries = ['platA', 'platB', 'platC'].flatMap((platform) =>
    ['top', 'all'].flatMap((kind) =>
      sources.map((source) => [source, { ...VALUES, platform, kind, countryCode: 'US' }] as const),
    ),
  )
  return tries.flatMap(([source, values]) => {
    const args = Object.fromEntries(Object.entries(values).filter(([name]) => takes.has(name)))
    try {
      const asked = spends.asks?.(source, args, before)
      return [
        ...(asked ? [asked.view.endpoint.name] : []),
        ...(spends.sends?.(source, args) ?? []).map(({ endpoint }) => endpoint.name),
        ...(spends.looksUp?.(args) ?? []).flatMap(({ request }) => request?.endpoint.name ?? []),
        ...(spends.shares ? [spends.shares.endpoint.name] : []),
      ]
    } catch {
      return []
    }
  })
}

it('every endpoint is behind a field of the schema', () => {
  const types: GraphQLNamedType[] = Object.values(schema.getTypeMap())
  const fields = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()))
  const reached = new Set(fields.flatMap(endpointsOf))
  expect(all.map(([name]) => name).filter((name) => !reached.has(name))).toEqual([])
})
