import { describe, expect, onTestFinished, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import { run } from '../support/run.ts'

const entities = (selection: string) =>
  `query ($of: [_Any!]!) { _entities(representations: $of) { __typename ${selection} } }`
const NAMES = entities(
  '... on Artist { cmId name } ... on Track { cmId name } ... on Album { cmId name } ... on Venue { venue: cmId name }',
)

describe('an entity', () => {
  test.each([
    ['Artist', 5, '{ artist(cmId: 5) { name } }'],
    ['Track', 7, '{ track(cmId: 7) { name } }'],
    ['Album', 9, '{ album(cmId: 9) { name } }'],
    ['Venue', '3', '{ venue(cmId: "3") { name } }'],
  ])(
    '%s is found by its global id and by its number, written either way',
    async (type, cmId, direct) => {
      const { query, meter } = await run()
      const of = [
        { __typename: type, id: `${type}:${cmId}` },
        { __typename: type, cmId },
        { __typename: type, cmId: String(cmId) },
        { __typename: type, id: `${type}:${cmId}`, cmId },
      ]
      const { data, errors, credits } = await query(NAMES, { of })
      expect(errors).toEqual([])
      const { name } = Object.values<{ name: string }>((await query(direct)).data)[0] ?? {}
      expect(data._entities.map((entity: { name: string }) => entity.name)).toEqual(
        of.map(() => name),
      )
      expect(data._entities.map((entity: object) => Reflect.get(entity, '__typename'))).toEqual(
        of.map(() => type),
      )
      expect(credits.spent).toBe(1)
      expect(meter.credits).toBe(1)
    },
  )

  test('of which only keys are wanted costs nothing', async () => {
    const { query, meter } = await run()
    const of = [
      { __typename: 'Artist', cmId: 5 },
      { __typename: 'Track', id: 'Track:7' },
      { __typename: 'Album', cmId: 9 },
      { __typename: 'Venue', cmId: '3' },
    ]
    const { data, errors, credits } = await query(
      entities('... on Node { id } ... on Artist { cmId } ... on Venue { venue: cmId }'),
      { of },
    )
    expect(errors).toEqual([])
    expect(data._entities).toEqual([
      { __typename: 'Artist', id: 'Artist:5', cmId: 5 },
      { __typename: 'Track', id: 'Track:7' },
      { __typename: 'Album', id: 'Album:9' },
      { __typename: 'Venue', id: 'Venue:3', venue: '3' },
    ])
    expect(credits.spent).toBe(0)
    expect(meter.credits).toBe(0)
  })

  test('of the various artists tells what rows tell, and is never asked for', async () => {
    const { query, meter } = await run()
    const of = [
      { __typename: 'Artist', cmId: 1 },
      { __typename: 'Artist', id: 'Artist:1' },
    ]
    const text = entities('... on Artist { cmId id name score }')
    const before = await query(text, { of })
    expect(before.errors).toEqual([])
    expect(before.data._entities[1]).toEqual({
      __typename: 'Artist',
      cmId: 1,
      id: 'Artist:1',
      name: null,
      score: null,
    })
    expect(meter.credits).toBe(0)
    const rows = await query(
      '{ charts { platB(countryCode: "US", first: 200) { nodes { artists { cmId name } } } } }',
    )
    const artists: { cmId: number; name: string }[] = rows.data.charts.platB.nodes.flatMap(
      ({ artists }: { artists: object[] }) => artists,
    )
    const { name } = artists.find(({ cmId }) => cmId === 1) ?? {}
    expect(name).toEqual(expect.any(String))
    const after = await query(text, { of })
    expect(after.data._entities.map((entity: { name: string }) => entity.name)).toEqual([
      name,
      name,
    ])
    const refused = await query('{ node(id: "Artist:0") { id } }')
    expect(refused.errors[0]).toMatchObject({
      message: 'id: cmId must be an integer from 2 to 2147483647, got 0',
      extensions: { code: 'BAD_USER_INPUT', argument: 'id' },
    })
    const ids = '"Artist:1", "Artist:01"'
    const own = await query(`{ node(id: "Artist:1") { id ... on Artist { name score } }
      nodes(ids: [${ids}]) { ... on Artist { cmId name } } }`)
    expect(own.errors).toEqual([])
    expect(own.data).toEqual({
      node: { id: 'Artist:1', name, score: null },
      nodes: [
        { cmId: 1, name },
        { cmId: 1, name },
      ],
    })
    expect(meter.credits).toBe(1)
  })

  test('that does not exist is null without an error', async () => {
    const { query } = await run()
    const of = [
      { __typename: 'Artist', cmId: 2_147_483_647 },
      { __typename: 'Artist', cmId: 5 },
    ]
    const { data, errors } = await query(NAMES, { of })
    expect(errors).toEqual([])
    expect(data._entities).toEqual([null, expect.objectContaining({ cmId: 5 })])
  })
})

describe('two hundred representations of four types', () => {
  /** 200, of which 10 artists, 10 tracks, 10 albums and 10 venues are distinct. */
  const of = Array.from({ length: 200 }, (_, at) => {
    const number = 2 + (Math.floor(at / 4) % 10)
    const type = ['Artist', 'Track', 'Album', 'Venue'][at % 4]
    return at < 100
      ? { __typename: type, cmId: type === 'Venue' ? String(number) : number }
      : { __typename: type, id: `${type}:${number}` }
  })

  test('cost their distinct requests, and nothing where those are held', async () => {
    const { query, meter } = await run()
    const { data, errors, credits } = await query(NAMES, { of })
    expect(errors).toEqual([])
    expect(data._entities).toHaveLength(200)
    expect(data._entities.map((entity: object) => Reflect.get(entity, '__typename'))).toEqual(
      of.map(({ __typename }) => __typename),
    )
    expect(credits).toMatchObject({ spent: 40, saved: 160, savedBy: { merged: 160 } })
    expect(meter.credits).toBe(40)
    expect(new Set(meter.requests.map(({ path }) => path)).size).toBe(40)

    const again = await query(NAMES, { of })
    expect(again.data).toEqual(data)
    expect(again.credits.spent).toBe(0)
    expect(meter.credits).toBe(40)
  })

  test('pay only for what is not held yet', async () => {
    const { query, meter } = await run()
    await query('{ artists(cmIds: [2, 3, 4]) { score } tracks(cmIds: [2]) { name } }')
    expect(meter.credits).toBe(4)
    const { credits } = await query(NAMES, { of })
    expect(credits.spent).toBe(36)
    expect(meter.credits).toBe(40)
  })

  test('are asked for in one pass: all are under way before the first is answered', async () => {
    let release = () => {}
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    const opened = await openScripted(async ({ path }, count) => {
      if (count === 12) release()
      await all
      const venue = { venueInfo: [{ name: 'Ada' }], events: [] }
      return { body: { obj: path.startsWith('/api/event') ? venue : { name: 'Ada' } } }
    })
    onTestFinished(() => opened.close())
    const mix = of.slice(0, 12)
    const { data, errors } = await opened.query(NAMES, { of: [...mix, ...mix] })
    expect(errors).toEqual([])
    expect(data._entities).toHaveLength(24)
    expect(opened.upstream.requests).toHaveLength(12)
  })

  test('are priced before they run, and refused over the limit', async () => {
    const { gateway, query, meter } = await run()
    const response = await gateway.yoga.fetch('http://gateway/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-credits-plan': 'only' },
      body: JSON.stringify({ query: NAMES, variables: { of } }),
    })
    const { extensions } = await response.json()
    expect(extensions.creditPlan).toMatchObject({ min: 40, likely: 40, max: 40 })
    const { data, errors } = await query(NAMES, { of }, { 'x-credits-limit': '39' })
    expect(data).toBeUndefined()
    expect(errors[0]?.extensions).toMatchObject({ code: 'CREDIT_LIMIT_EXCEEDED', credits: 40 })
    expect(meter.credits).toBe(0)
  })
})

describe('a representation that names nothing', () => {
  test.each([
    [{ __typename: 'Artist', cmId: 0 }, 'cmId must be an integer from 2 to 2147483647, got 0'],
    [{ __typename: 'Artist', cmId: '-3' }, 'got "-3"'],
    [{ __typename: 'Artist', cmId: 'five' }, 'got "five"'],
    [{ __typename: 'Artist', cmId: 2.5 }, '{"__typename":"Artist","cmId":2.5}'],
    [{ __typename: 'Artist', cmId: '99999999999' }, 'from 2 to 2147483647, got 99999999999'],
    [{ __typename: 'Artist', cmId: 4_000_000_000 }, 'got 4000000000'],
    [{ __typename: 'Artist', id: 'Track:5' }, '{"__typename":"Artist","id":"Track:5"}'],
    [{ __typename: 'Artist', id: 'Artist:6', cmId: 5 }, '"id":"Artist:6","cmId":5'],
    [{ __typename: 'Artist', id: null }, '{"__typename":"Artist","id":null}'],
    [{ __typename: 'Artist' }, '{"__typename":"Artist"}'],
    [{ __typename: 'Brand', cmId: 'b' }, '{"__typename":"Brand","cmId":"b"}'],
    [{ __typename: '__proto__', cmId: 5 }, 'Album, Artist, Track, Venue'],
    [{ cmId: 5 }, '{"cmId":5}'],
    [{ __typename: 'Venue', cmId: '../artist/5' }, '../artist/5'],
    ['Artist:5', 'got "Artist:5"'],
    [[], 'got []'],
    [{ __typename: 'Artist', cmId: 'x'.repeat(10_000) }, 'got "Artist:xxx'],
  ])('is null with an error that names it, and its siblings stand: %j', async (bad, named) => {
    const { query, meter } = await run()
    const { data, errors, credits } = await query(NAMES, {
      of: [{ __typename: 'Artist', cmId: 5 }, bad, { __typename: 'Artist', cmId: 6 }],
    })
    expect(data._entities).toEqual([
      expect.objectContaining({ cmId: 5, name: expect.any(String) }),
      null,
      expect.objectContaining({ cmId: 6, name: expect.any(String) }),
    ])
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({
      path: ['_entities', 1],
      extensions: { code: 'BAD_USER_INPUT', argument: 'representations' },
    })
    expect(errors[0]?.message).toContain(named)
    expect(errors[0]?.message.length).toBeLessThan(300)
    expect(credits.spent).toBe(2)
    expect(meter.credits).toBe(2)
  })
})

test('more than 1,000 representations in an operation are refused before anything is spent', async () => {
  const { query, meter } = await run()
  const some = (count: number) =>
    Array.from({ length: count }, () => ({ __typename: 'Artist', cmId: 5 }))
  const text = `query ($a: [_Any!]!, $b: [_Any!]!) { artist(cmId: 7) { name }
    a: _entities(representations: $a) { ... on Artist { name } }
    b: _entities(representations: $b) { ... on Artist { name } } }`
  const { data, errors } = await query(text, { a: some(600), b: some(401) })
  expect(data).toBeUndefined()
  expect(errors[0]?.message).toContain('1001 representations, at most 1000')
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
  expect(meter.credits).toBe(0)
  expect((await query(text, { a: some(600), b: some(400) })).errors).toEqual([])
  expect(meter.credits).toBe(2)
})
