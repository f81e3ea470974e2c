import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type ConstDirectiveNode,
  getNamedType,
  isEnumType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  valueFromASTUntyped,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { priceOf } from '../credits/ask.ts'
import { openRun } from '../support/run.ts'

// Building it refuses directives that the file does not define.
const published = buildSchema(readFileSync('schema.graphql', 'utf8'))

/** Where the fields stand that send requests; `$` is such a field. */
const PLACES: Readonly<Record<string, string>> = {
  Query: '{ $ }',
  Charts: '{ charts { $ } }',
  SearchResult: '{ search(query: "river") { $ } }',
  Artist: '{ artist(cmId: 5) { $ } }',
  ArtistPremium: '{ artist(cmId: 5) { premium { $ } } }',
  Track: '{ track(cmId: 5) { $ } }',
  TrackPremium: '{ track(cmId: 5) { premium { $ } } }',
  Brand: '{ brand(cmId: 5) { $ } }',
  Venue: '{ venue(cmId: 5) { $ } }',
}

interface Directed {
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] } | null | undefined
}
const directive = ({ astNode }: Directed, wanted: string) => {
  const found = astNode?.directives?.find(({ name }) => name.value === wanted)
  return (
    found &&
    Object.fromEntries(
      (found.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
    )
  )
}
const weightOf = (on: Directed): number | undefined => {
  const weight = directive(on, 'cost')?.weight
  return weight === undefined ? undefined : Number(weight)
}

const types = Object.values(published.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
const fields = types.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({
    coordinate: `${type.name}.${field.name}`,
    type,
    field,
  })),
)
const sending = fields.filter(({ field }) => weightOf(field) !== undefined)

const sample = (name: string, type: Parameters<typeof getNamedType>[0]): string => {
  const named = getNamedType(type)
  if (isEnumType(named)) return named.getValues()[0]?.name ?? ''
  if (name === 'trackCmIds') return '[5]'
  return ['Int', 'BigInt'].includes(String(named)) ? '5' : '"US"'
}

let run: Awaited<ReturnType<typeof openRun>>
beforeAll(async () => {
  run = await openRun()
})
afterAll(() => run.close())

describe('the prices in schema.graphql', () => {
  test.each(sending)(
    '$coordinate weighs what a plan says that it sends',
    async ({ type, field }) => {
      const given = field.args
        .filter(isRequiredArgument)
        .map(({ name, type: of }) => `${name}: ${sample(name, of)}`)
      const args = given.length === 0 ? '' : `(${given.join()})`
      const below = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }'
      const query = (PLACES[type.name] ?? '').replace('$', `own: ${field.name}${args} ${below}`)
      const { calls } = await priceOf(run, query)
      const own = calls.filter(({ path }) => path.split('.').at(-1) === 'own')
      expect(own, query).toHaveLength(1)
      expect(weightOf(field)).toBe(own[0]?.credits)
    },
  )

  test('are 2 for each of the 15 premium endpoints, and 1 for other requests', () => {
    const premium = sending.filter(({ field }) => weightOf(field) === 2)
    expect(premium.map(({ type }) => type.name).sort()).toEqual([
      ...Array(10).fill('ArtistPremium'),
      'Brand',
      ...Array(4).fill('TrackPremium'),
    ])
    expect(new Set(sending.map(({ field }) => weightOf(field)))).toEqual(new Set([1, 2]))
  })

  test.each([
    ['Album', '{ album(cmId: 5) { label trackCount } }'],
    ['Artist', '{ artist(cmId: 5) { rank score } }'],
    ['Track', '{ track(cmId: 5) { score durationMs } }'],
    ['Venue', '{ venue(cmId: 5) { capacity cityId } }'],
  ])('of an object are those of its record: %s', async (name, query) => {
    const { max } = await priceOf(run, query)
    expect(types.filter((type) => type.name === name).map(weightOf)).toEqual([max])
  })

  test('are nothing for all other objects: rows, edges, connections', () => {
    const weighing = types.filter((type) => weightOf(type) !== 0).map(({ name }) => name)
    expect(weighing).toEqual(['Album', 'Artist', 'Query', 'Track', 'Venue'])
  })

  test('tell of every page how long it is', () => {
    const paged = fields.filter(({ field }) => field.args.some(({ name }) => name === 'first'))
    expect(paged.length).toBeGreaterThan(25)
    for (const { coordinate, field } of paged)
      expect(directive(field, 'listSize'), coordinate).toEqual({
        assumedSize: 20,
        slicingArguments: field.args
          .map(({ name }) => name)
          .filter((name) => name === 'first' || name === 'last'),
        sizedFields: ['edges', 'nodes'],
        requireOneSlicingArgument: false,
      })
  })
})
