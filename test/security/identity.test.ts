import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { openGateway, openScripted } from '../support/gateway.ts'
import { openScript, type Scripted } from '../support/script.ts'

const DAY = 86_400_000
/** The one field whose parameters are as clients name them. */
const listening = (params: string) =>
  `{ artist(cmId: 5) { premium { wherePeopleListen(params: ${params}) } } }`

describe('which answer is whose', () => {
  test.each([
    [
      'one text with a comma, and two',
      '{ search(query: "a,b") { artists { nodes { name } } } }',
      '{ search(query: "a b") { artists { nodes { name } } } }',
    ],
    [
      'case',
      '{ search(query: "Ada") { artists { nodes { name } } } }',
      '{ search(query: "ada") { artists { nodes { name } } } }',
    ],
    [
      'NFC and NFD',
      '{ search(query: "\u00e9") { artists { nodes { name } } } }',
      '{ search(query: "e\u0301") { artists { nodes { name } } } }',
    ],
    [
      'a list, and a longer one',
      '{ tracksByStat(filter: { genreIds: [1] }) { nodes { track { name } } } }',
      '{ tracksByStat(filter: { genreIds: [1, 2] }) { nodes { track { name } } } }',
    ],
    ['["a,b"] and ["a","b"]', listening('{ x: ["a,b"] }'), listening('{ x: ["a", "b"] }')],
    ['[["a"]] as text and ["a"]', listening('{ x: "[\\"a\\"]" }'), listening('{ x: ["a"] }')],
    ['a name with an equals sign', listening('{ x: "1&y=2" }'), listening('{ x: "1", y: "2" }')],
    [
      'false and nothing',
      '{ search(query: "a", triggerCitiesOnly: true) { cities { nodes { name } } } }',
      '{ search(query: "a") { cities { nodes { name } } } }',
    ],
  ])('39: %s are two requests where the service sees two', async (_, one, other) => {
    const run = await openScripted(() => ({ body: { obj: [] } }))
    for (const query of [one, other, one, other]) await run.query(query)
    const seen = run.upstream.requests.map(({ path, query, body }) =>
      JSON.stringify([path, query, body]),
    )
    expect(seen).toHaveLength(2)
    expect(new Set(seen).size).toBe(2)
    await run.close()
  })

  test('39: what the service sees as one is one: order, defaults written out, null and nothing', async () => {
    const run = await openScripted(() => ({
      body: { obj: { id: 5, name: 'Ada', data: [], total: 0 } },
    }))
    for (const query of [
      '{ artist(cmId: 5) { name } }',
      '{ artist(cmId: 5, allowPartial: false) { name } }',
      'query($id: Int!) { artist(allowPartial: null, cmId: $id) { name } }',
    ])
      await run.query(query, { id: 5 })
    expect(run.upstream.requests).toHaveLength(1)
    for (const params of ['{ a: 1, b: "2" }', '{ b: 2, a: "1" }', '{ b: "2", a: 1 }'])
      await run.query(listening(params))
    expect(run.upstream.requests).toHaveLength(2)
    await run.close()
  })

  test('39: two texts to search for share an answer exactly when they are the same text', async () => {
    const run = await openScripted(() => ({ body: { obj: { artists: [] } } }))
    const text = fc
      .array(fc.constantFrom('a', ',', '"', '[', ']', ' ', '1', '\\', '&', '|'), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => `x${parts.join('')}x`)
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        for (const query of [one, other])
          await run.query(
            'query($q: String!) { search(query: $q) { artists { nodes { name } } } }',
            { q: query },
          )
      }),
      { numRuns: 60 },
    )
    const asked = run.upstream.requests.map(({ query }) => new Map(query).get('q'))
    expect(new Set(asked).size).toBe(asked.length)
    await run.close()
  })

  const answers: [string, Scripted][] = [
    ['an error', { status: 500 }],
    ['a 206', { status: 206, text: '{"obj":{"id":5,"na' }],
    ['half a body', { text: '{"obj":{"id":5' }],
    ['a body about another thing', { body: { obj: { id: 6, name: 'Eve' } } }],
    ['a list', { body: [1] }],
    ['no obj', { body: { error: 'x' } }],
  ]
  test.each(answers)('40: %s does not take the place of what is held', async (_, poison) => {
    let later = 0
    let said: Scripted = { body: { obj: { id: 5, name: 'Ada' } } }
    const upstream = await openScript(() => said)
    const clock = { ...systemClock, now: () => Date.now() + later }
    const { gateway, query } = openGateway(upstream.url, {}, { clock })
    onTestFinished(async () => {
      await gateway.close()
      await upstream.close()
    })
    const ask = () => query('{ artist(cmId: 5) { name } }')
    await ask()
    said = poison
    later = 2 * DAY
    for (let turn = 0; turn < 3; turn += 1) {
      const { data, errors } = await ask()
      expect([data, errors]).toEqual([{ artist: { name: 'Ada' } }, []])
    }
    said = { body: { obj: { id: 5, name: 'Ada Lovelace' } } }
    later += DAY / 24
    await ask()
    expect((await ask()).data).toEqual({ artist: { name: 'Ada Lovelace' } })
  })

  test('41: a resolver that would change the row that it is given cannot, and no answer changes', async () => {
    const run = await openScripted(() => ({
      body: { obj: { id: 5, name: 'Ada', tags: ['a'], genres: [{ id: 1, name: 'g' }] } },
    }))
    const given: object[] = []
    const { call } = run.gateway.upstream
    vi.spyOn(run.gateway.upstream, 'call').mockImplementation((request, operation, how, view) =>
      call(request, operation, how, (found) => {
        if (typeof found.value === 'object' && found.value !== null) given.push(found.value)
        return view(found)
      }),
    )
    const text = '{ artist(cmId: 5) { name additionalFields } }'
    const told = (await run.query(text)).data.artist
    expect(told).toEqual({ name: 'Ada', additionalFields: { tags: ['a'] } })
    expect(given.length).toBeGreaterThan(0)
    for (const row of given) {
      expect(() => Object.assign(row, { name: 'Eve' })).toThrow(TypeError)
      const { additionalFields } = row as { readonly additionalFields?: object }
      Object.assign(additionalFields ?? {}, { tags: ['evil'] })
    }
    // Made anew of what is held, and not sent again as it was.
    const again = await run.query('{ artist(cmId: 5) { name additionalFields other: name } }')
    expect(again.data.artist).toEqual({ ...told, other: 'Ada' })
    expect(run.upstream.requests).toHaveLength(1)
    await run.close()
  })
})
