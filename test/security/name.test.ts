import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'then',
]

/** Whatever hangs on the prototypes that everything has. */
const prototypes = () =>
  [Object.prototype, Array.prototype, Function.prototype, Map.prototype].map((prototype) =>
    Reflect.ownKeys(prototype).map(String).sort().join(),
  )
const clean = prototypes()
afterEach(() => expect(prototypes()).toEqual(clean))

const polluting =
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x","hasOwnProperty":1}'

describe('names that every object has', () => {
  test('22: they are names like any other, as variable, alias, operation and argument', async () => {
    const run = await openScripted(() => ({ body: { obj: { id: 5, name: 'Ada' } } }))
    for (const name of NAMES) {
      const variable = () =>
        run.query(
          `query($${name}: Int! = 6) { artist(cmId: $${name}) { name } }`,
          JSON.parse(`{"${name}":5}`),
        )
      // Once the long way, once the short one.
      expect([await variable(), await variable()].map(({ data }) => data)).toEqual(
        Array(2).fill({ artist: { name: 'Ada' } }),
      )
      const alias = await run.query(`{ ${name}: artist(cmId: 5) { ${name}: name } }`)
      if (name === 'then') {
        expect(alias.errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT'])
        continue
      }
      expect(alias.errors).toEqual([])
      expect(JSON.parse(JSON.stringify(alias.data))[name]).toEqual(JSON.parse(`{"${name}":"Ada"}`))
      const operation = await run.query(`query ${name} { artist(cmId: 5) { name } }`)
      expect(operation.data).toEqual({ artist: { name: 'Ada' } })
      expect((await run.query(`{ artist(cmId: 5, ${name}: 1) { name } }`)).data).toBeUndefined()
      expect((await run.query(`{ ${name} }`)).data).toBeUndefined()
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    await run.close()
  })

  test('22: as variables that are not given they leave arguments their defaults', async () => {
    const run = await openScripted(() => ({ body: { obj: [], offset: 0, total: 0 } }))
    for (const name of NAMES) {
      const ask = () =>
        run.query(
          `query($${name}: Int) { playlists(platform: PLAT_B, first: $${name}) { totalCount } }`,
        )
      for (const { errors } of [await ask(), await ask()]) expect(errors).toEqual([])
    }
  })

  test('22: they are members of a body, of its variables and extensions, and change nothing', async () => {
    const run = await openScripted(() => ({ body: { obj: { id: 5, name: 'Ada' } } }))
    const post = async (body: string) => {
      const response = await run.gateway.yoga.fetch('http://gateway/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return response.status
    }
    const query = '"query":"{ artist(cmId: 5) { name } }"'
    expect(await post(`{${query},"variables":${polluting}}`)).toBe(200)
    expect(await post(`{${query},"extensions":${polluting}}`)).toBe(200)
    expect([200, 400]).toContain(await post(`{${query},"__proto__":{"query":"{ x }"}}`))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    await run.close()
  })

  test('22: they are ids that nothing is found under', async () => {
    const run = await openScripted(() => ({ status: 404 }))
    for (const name of NAMES) {
      const { data } = await run.query(
        `{ node(id: ${JSON.stringify(name)}) { id } venue(cmId: ${JSON.stringify(name)}) { name } }`,
      )
      expect(data.node ?? null).toBeNull()
      expect(data.venue ?? null).toBeNull()
    }
    await run.close()
  })

  test('22: they are members of open parameters, each one pair of the query', async () => {
    const run = await openScripted(() => ({ body: { obj: { a: 1 } } }))
    const text = 'query($p: JSON) { artist(cmId: 5) { premium { wherePeopleListen(params: $p) } } }'
    for (const name of NAMES) {
      await run.query(text, { p: JSON.parse(`{"${name}":"x"}`) })
      for (const { query } of run.upstream.requests)
        for (const [key, value] of query) expect([NAMES.includes(key), value]).toEqual([true, 'x'])
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined()
    await run.close()
  })

  test('23: in an answer of the service they change no prototype, and are read as no field', async () => {
    const run = await openScripted(() => ({
      text: `{"obj":{"id":5,"name":"Ada","cm_artist_rank":7,${polluting.slice(1, -1)}}}`,
    }))
    const { data, errors } = await run.query('{ artist(cmId: 5) { name rank additionalFields } }')
    expect([errors, data.artist.name, data.artist.rank]).toEqual([[], 'Ada', 7])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.prototype.toString.call({})).toBe('[object Object]')
    await run.close()
  })

  test('23: an answer of whatever members pollutes nothing', async () => {
    let text = ''
    const run = await openScripted(() => ({ text }))
    const member = fc.constantFrom(...NAMES, 'name', 'cm_statistics')
    const tree = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), tie('object')),
      object: fc.array(fc.tuple(member, tie('value')), { maxLength: 4 }),
    })).object
    const written = (value: unknown): string =>
      Array.isArray(value)
        ? `{${value.map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`).join(',')}}`
        : JSON.stringify(value)
    let cmId = 10
    await fc.assert(
      fc.asyncProperty(tree, async (value) => {
        cmId += 1
        // Something of a record is in it: what has nothing of one is refused, and asked for no more in the end.
        text = `{"obj":${written([['id', cmId], ...value])}}`
        const { errors } = await run.query(
          `{ artist(cmId: ${cmId}) { name rank statistics { platAFollowers } } }`,
        )
        for (const { extensions } of errors) expect(extensions.code).toBe('UPSTREAM_BAD_RESPONSE')
        expect(prototypes()).toEqual(clean)
        expect(({} as Record<string, unknown>).polluted).toBeUndefined()
      }),
      { numRuns: 100 },
    )
    await run.close()
  })
})
