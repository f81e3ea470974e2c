import { buildSchema, type GraphQLObjectType, parse } from 'graphql'
import { expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { run as runOrdinary } from '../../src/execution/run.ts'
import { queryOf } from '../../src/schema/query.ts'
import { ask } from '../credits/ask.ts'
import { run } from '../support/run.ts'

const ROW = 'fragment Row on Artist { name ...Trend genres { primary { name } } }'
const TREND = 'fragment Trend on Artist { careerStatus { stage trend } name }'

/** What is to be run, with the word for what is special about it. */
const QUERIES: readonly [string, string, Record<string, unknown>?][] = [
  ['aliases', '{ a: artist(cmId: 5) { n: name name } b: artist(cmId: 6) { n: name } }'],
  [
    'one field in several places',
    '{ artist(cmId: 5) { genres { primary { name } } genres { secondary { name } primary { id } } } }',
  ],
  ['fragments in fragments', `{ artist(cmId: 5) { ...Row rank } } ${ROW} ${TREND}`],
  ['the names of types', '{ __typename artist(cmId: 5) { __typename t: __typename name } }'],
  [
    'variables with and without values',
    'query ($id: Int!, $first: Int = 2, $none: String) { artist(cmId: $id) { name } playlists(platform: PLAT_B, first: $first, after: $none, filter: { tagIds: [1, 2] }) { nodes { name } edges { cursor } } }',
    { id: 5 },
  ],
  [
    'a variable in a list in an object',
    'query ($tag: Int!) { playlists(platform: PLAT_B, first: 2, filter: { tagIds: [$tag, 3] }) { nodes { cmId name } pageInfo { hasNextPage } } }',
    { tag: 1 },
  ],
  [
    'ids of which some are nobody, or refused',
    '{ artists(cmIds: [5, 1, 999999, 6]) { name rank } tracks(cmIds: [5, 0]) { name artists { name } } }',
  ],
  [
    'an argument out of bounds beside a good field',
    '{ artist(cmId: -1) { name } track(cmId: 5) { name } }',
  ],
  [
    'a chart with its artists',
    '{ charts { platB(countryCode: "US", first: 5) { nodes { rank artists { name rank } } } } }',
  ],
  [
    'what a variable leaves out',
    'query ($no: Boolean!) { artist(cmId: 5) { name rank @skip(if: $no) ... @include(if: $no) { score } } }',
    { no: true },
  ],
  ['an interface', '{ node(id: "Artist:5") { __typename id ... on Artist { name } } }'],
  ['the schema itself', '{ __schema { queryType { name } } artist(cmId: 5) { name } }'],
  ['an alias that means something to an object', '{ artist(cmId: 5) { __proto__: name rank } }'],
  ['a rank among fields', '{ artist(cmId: 5) { name @credits(priority: LOW) rank } }'],
]

const plain = (told: { readonly data?: unknown; readonly errors?: readonly object[] }) => ({
  data: told.data,
  errors: (told.errors ?? []).map((error) =>
    JSON.stringify(error).replace(/"requestId":"[^"]*",?/, ''),
  ),
})

test.each(QUERIES)(
  '%s is answered as graphql-js answers it',
  async (_word, query, variables = {}) => {
    const opened = await run()
    await ask(opened, query, { variables })
    const asked = new URLSearchParams({ query, variables: JSON.stringify(variables) })
    const { body } = await opened.gateway.get(`/graphql?${asked}`, { headers: new Headers() })
    const theirs = JSON.parse(body.toString())
    // Known by now, so that it is run here; the letter of it too, which no comparison of objects sees.
    const own = await opened.gateway.answer({
      headers: new Headers({
        accept: 'application/graphql-response+json',
        'content-type': 'application/json',
      }),
      body: JSON.stringify({ query, variables }),
    })
    const told = JSON.parse(own.body.toString())
    expect(plain(told)).toEqual(plain(theirs))
    expect(Object.keys(told)).toEqual(Object.keys(theirs))
    expect(JSON.stringify(told.data)).toBe(JSON.stringify(theirs.data))
  },
)

test('an item that fails at once leaves nobody unheard who fails after it', async () => {
  const schema = buildSchema('type Query { items: [Item!] } type Item { name: String! }')
  const fieldsOf = (name: string) => (schema.getType(name) as GraphQLObjectType).getFields()
  Object.assign(fieldsOf('Query').items ?? {}, { resolve: () => [{}, null] })
  Object.assign(fieldsOf('Item').name ?? {}, {
    resolve: () => new Promise((_, reject) => setImmediate(reject, new Error('late'))),
  })
  const query = queryOf(parse('{ items { name } }'), undefined)
  if (query === undefined) throw new Error('there is a query')
  const unheard: unknown[] = []
  const hear = (failure: unknown) => unheard.push(failure)
  process.on('unhandledRejection', hear)
  const told = await runOrdinary({ schema, query, variables: {}, context: {} as Context })
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', hear)
  expect([told.data, told.errors?.length, unheard]).toEqual([{ items: null }, 1, []])
})
