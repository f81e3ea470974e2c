import { expect, test } from 'vitest'
import { ask, priceOf } from '../credits/ask.ts'
import { run } from '../support/run.ts'

type Asked = readonly [query: string, variables: Record<string, unknown>]
type Refused = readonly [path: readonly string[] | undefined, data: Record<string, unknown> | null]

const TRACK = 'track(cmId: 5) { cmId }'
const track = { cmId: 5 }

/** A variable that may be null, with a default, fits where null may not be; then null is sent all the same. */
const REFUSED: readonly (readonly [string, ...Asked, ...Refused])[] = [
  [
    'an argument',
    `query ($id: Int = 20) { artist(cmId: $id) { name } ${TRACK} }`,
    { id: null },
    ['artist'],
    { artist: null, track },
  ],
  [
    'an item of a list',
    `query ($id: Int = 20) { streamEstimates(trackCmIds: [2, $id]) { __typename } ${TRACK} }`,
    { id: null },
    ['streamEstimates'],
    { streamEstimates: null, track },
  ],
  [
    'an argument further down',
    `query ($c: CountryCode = "DE") { charts { platB(countryCode: $c) { nodes { rank } } } ${TRACK} }`,
    { c: null },
    ['charts', 'platB'],
    { charts: { platB: null }, track },
  ],
  [
    'a condition on a field',
    `query ($no: Boolean = true) { artist(cmId: 20) { cmId rank @skip(if: $no) } ${TRACK} }`,
    { no: null },
    ['artist'],
    { artist: null, track },
  ],
  [
    'a condition below a record',
    `query ($no: Boolean = true) { artist(cmId: 20) { cmId careerStatus { stage @include(if: $no) } } ${TRACK} }`,
    { no: null },
    ['artist', 'careerStatus'],
    { artist: { cmId: 20, careerStatus: null }, track },
  ],
  [
    'a condition on a field of all',
    `query ($no: Boolean = true) { artist(cmId: 20) @skip(if: $no) { name } ${TRACK} }`,
    { no: null },
    undefined,
    null,
  ],
]

test.each(REFUSED)(
  'null in %s fails its field, and leaves others standing',
  async (_word, query, variables, path, data) => {
    const opened = await run()
    for (const _way of ['long', 'short', 'short again']) {
      const { max } = await priceOf(opened, query, { variables })
      const told = await ask(opened, query, { variables })
      expect(told.status).toBe(200)
      expect(told.data).toEqual(data)
      expect(told.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
      expect(told.errors[0]?.path).toEqual(path)
      expect(told.credits.spent).toBeLessThanOrEqual(max)
    }
    expect(opened.meter.credits).toBeLessThanOrEqual(2)
  },
)

test.each([
  ['query ($id: Int = 20) { artists(cmIds: [6, $id]) { name } artist(cmId: 8) { name } }', 'id'],
  ['query ($id: Int = 20) { artist(cmId: 8) { name } artists(cmIds: [6, $id]) { name } }', 'id'],
  [
    'query ($no: Boolean = true) { a: artist(cmId: 8) { name } b: artist(cmId: 9) @skip(if: $no) { name } }',
    'no',
  ],
  [
    'query ($q: String = "x") { artist(cmId: 8) { name } search(query: $q) { artists { nodes { cmId } } } }',
    'q',
  ],
])('null that leaves nothing of the answer costs nothing: %s', async (query, name) => {
  const opened = await run()
  for (const _way of ['long', 'short']) {
    const told = await ask(opened, query, { variables: { [name]: null } })
    expect(told.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect(told.data ?? null).toBeNull()
  }
  expect(opened.meter.requests).toEqual([])
})
