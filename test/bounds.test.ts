import { parse, visit } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenBound } from '../src/plugins/bounds.ts'
import { openScripted } from './support/gateway.ts'

let run: Awaited<ReturnType<typeof openScripted>>
beforeAll(async () => {
  run = await openScripted(() => ({ status: 404 }))
})
afterAll(() => run.close())

const STRICT = { accept: 'application/graphql-response+json' }
const refused = async (query: string, message: RegExp) => {
  const { data, errors, status } = await run.query(query, {}, STRICT)
  expect(errors[0]?.message).toMatch(message)
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
  expect(data).toBeUndefined()
  expect(status).toBe(400)
  expect(run.upstream.requests).toHaveLength(0)
}

test('a document of 2,001 tokens is refused by the parser', () =>
  refused(`{ ${'id '.repeat(2000)} }`, /2000 tokens/))

test('a selection 21 levels deep is refused, one of 3,000 too', async () => {
  const deep = (levels: number) => `${'{ a '.repeat(levels)}${'}'.repeat(levels)}`
  await refused(deep(21), /21 levels, at most 20/)
  await refused(deep(3000), /2000 tokens/)
})

const doubled = (levels: number): string => {
  const twice = (level: number) =>
    `fragment F${level} on Query { ...F${level + 1} ...F${level + 1} }`
  const last = `fragment F${levels} on Query { credits: charts { __typename } }`
  return `{ ...F0 } ${Array.from({ length: levels }, (_, level) => twice(level)).join(' ')} ${last}`
}

test('25 levels of doubled fragments are refused', () =>
  refused(doubled(25), /fields with fragments written out/))

test('doubled fragments are read as often as they are written', () => {
  const document = parse(doubled(25))
  let sets = 0
  let reads = 0
  visit(document, {
    SelectionSet(set) {
      const { selections } = set
      sets += 1
      Object.defineProperty(set, 'selections', {
        get: () => {
          reads += 1
          return selections
        },
      })
    },
  })
  reads = 0
  expect(brokenBound(document)?.message).toMatch(/fields with fragments written out/)
  // Once as a definition of its own, once where it is spread first.
  expect(reads).toBeLessThanOrEqual(2 * sets)
})

test('1,001 root fields are refused', () =>
  refused(
    `{ ${Array.from({ length: 7 }, () => '...F').join(' ')} } fragment F on Query { ${'__typename '.repeat(143)} }`,
    /1001 root fields, at most 1000/,
  ))

test('a fragment within itself is refused by validation', () =>
  refused('{ ...F } fragment F on Query { ...F }', /Cannot spread fragment "F" within itself/))

test('an array of operations is refused', async () => {
  const response = await run.gateway.yoga.fetch('http://gateway/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]),
  })
  expect(response.status).toBe(400)
  expect((await response.json()).data).toBeUndefined()
})

test('a body of more than 100 kB is refused', async () => {
  const response = await run.gateway.yoga.fetch('http://gateway/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ __typename } #${'x'.repeat(100_001)}` }),
  })
  expect(response.status).toBe(413)
})
