import { type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schema } from '../../src/schema/index.ts'
import { spendsOf } from '../../src/schema/spends.ts'
import { ask, priceOf } from './ask.ts'
import { openService } from './property.ts'

const PLAT_B = 'charts { platB(countryCode: "US", first: 4)'

/** Where the types stand whose fields give things that their rows tell of; `$` is such a field. */
const PLACES: Readonly<Record<string, string>> = {
  PlatAChartEntry:
    '{ charts { platAArtists(interval: DAILY, type: FOLLOWERS, first: 4) { nodes { $ } } } }',
  PlatBChartEntry: `{ ${PLAT_B} { nodes { $ } } } }`,
  PlatDChartEntry: '{ charts { platDTracks(first: 4) { nodes { $ } } } }',
  PlatEChartEntry:
    '{ charts { platE(countryCode: "US", kind: TOP, genre: "techno", first: 4) { nodes { $ } } } }',
  PlatFChartEntry: '{ charts { platF(genre: "techno", first: 4) { nodes { $ } } } }',
  PlatGChartEntry: '{ charts { platG(countryCode: "US", first: 4) { nodes { $ } } } }',
  PlatUChartEntry: '{ charts { platU(first: 4) { nodes { $ } } } }',
  ArtistCredit: `{ ${PLAT_B} { nodes { artistCredits { $ } } } } }`,
  AlbumCredit: `{ ${PLAT_B} { nodes { albumCredits { $ } } } } }`,
  ArtistStatRow:
    '{ artistsByStat(stat: PLAT_A_FOLLOWERS, min: 0, max: 100000000, first: 4) { nodes { $ } } }',
  TrackStatRow: '{ tracksByStat(first: 4) { nodes { $ } } }',
  Track: '{ track(cmId: 5) { $ } }',
  Album: '{ album(cmId: 5) { $ } }',
  SearchResult: '{ search(query: "river") { $ } }',
  LiveEvent:
    '{ artist(cmId: 5) { events(status: PAST, fromDaysAgo: 400, toDaysAgo: 0, first: 4) { nodes { $ } } } }',
  LineupEntry: '{ venue(cmId: 5) { events(first: 4) { nodes { lineup { $ } } } } }',
  VenueListRow: '{ venues(first: 4) { nodes { $ } } }',
  StreamEstimate: '{ streamEstimates(trackCmIds: [5, 7]) { $ } }',
}

const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields())

const telling = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type)
    ? fieldsOf(type)
        .filter((field) => {
          const { tells, mostlyTells } = spendsOf(field)
          return (tells ?? mostlyTells) !== undefined
        })
        .map((field) => ({ coordinate: `${type.name}.${field.name}`, type, field }))
    : [],
)

/** Each column of a thing on its own, and each of the things within it. */
const columnsOf = (type: GraphQLObjectType, depth = 1): string[] =>
  fieldsOf(type).flatMap((field) => {
    if (spendsOf(field).column === undefined) return []
    const within = getNamedType(field.type)
    if (isLeafType(within)) return [field.name]
    if (depth === 0 || !isObjectType(within)) return []
    const below = columnsOf(within, depth - 1)
    return ['__typename', ...below].map((column) => `${field.name} { ${column} }`)
  })

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

test('every type whose rows tell of other things is looked at', () => {
  expect(new Set(telling.map(({ type }) => type.name))).toEqual(new Set(Object.keys(PLACES)))
})

test.each(telling)('$coordinate: no column costs more than its price says', ({ type, field }) =>
  service.withCold(async (open) => {
    const opened = open()
    const queryOf = (column: string): string => {
      const given = getNamedType(field.type)
      if (!isObjectType(given)) throw new Error(`${field.name} gives no object`)
      const selection = given.name.endsWith('Connection') ? `nodes { ${column} }` : column
      return (PLACES[type.name] ?? '').replace('$', `${field.name} { ${selection} }`)
    }
    const given = getNamedType(field.type)
    const nodes = isObjectType(given) ? given.getFields().nodes : undefined
    const entity = nodes === undefined ? given : getNamedType(nodes.type)
    if (!isObjectType(entity)) throw new Error(`${field.name} gives no object`)

    await ask(opened, queryOf('__typename'))
    const priced = []
    for (const column of columnsOf(entity))
      priced.push({ column, max: (await priceOf(opened, queryOf(column))).max })
    // What the row tells comes first: a record once bought would hide that it is asked for.
    for (const { column, max } of priced.sort((a, b) => a.max - b.max)) {
      const { errors, credits } = await ask(opened, queryOf(column))
      expect(errors, column).toEqual([])
      expect(credits.spent, `${column} is priced at most ${max}`).toBeLessThanOrEqual(max)
    }
  }),
)
