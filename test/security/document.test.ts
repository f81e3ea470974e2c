import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGateway, openScripted } from '../support/gateway.ts'

let run: Awaited<ReturnType<typeof openScripted>>
beforeAll(async () => {
  run = await openScripted(() => ({ body: { obj: { id: 5, name: 'Ada' } } }))
})
afterAll(() => run.close())

const STRICT = { accept: 'application/graphql-response+json' }
const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Asks what must be refused as a whole, with no request sent; gives what was said. */
const refused = async (query: string, code = 'BAD_USER_INPUT', variables = {}) => {
  const before = run.upstream.requests.length
  const { data, errors, status } = await run.query(query, variables, STRICT)
  expect([data, errors[0]?.extensions.code, status]).toEqual([undefined, code, 400])
  expect(run.upstream.requests).toHaveLength(before)
  return errors[0]
}

describe('the size of a document', () => {
  test('1: 21 levels and 3,000 levels are refused, the standard introspection query is not', async () => {
    const deep = (levels: number) => `${'{ a '.repeat(levels)}${'}'.repeat(levels)}`
    expect((await refused(deep(21)))?.message).toMatch(/21 levels, at most 20/)
    await refused(deep(3000))
    const { data, errors } = await run.query(getIntrospectionQuery())
    expect([errors, data.__schema.queryType.name]).toEqual([[], 'Query'])
  })

  test('2: 25 levels of doubled fragments are refused, nested or side by side', async () => {
    const last = 'fragment F25 on Query { __typename }'
    const nested = many(25, (at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`)
    const flat = many(25, (at) => `fragment F${at} on Query { ...F${at + 1} } `)
    const spread = `fragment S on Artist { ${'...T '.repeat(80)} } fragment T on Artist { ${'name '.repeat(80)} }`
    await refused(`{ ...F0 } ${nested.join(' ')} ${last}`)
    expect((await refused(`{ artist(cmId: 5) { ...S } } ${spread}`))?.message).toMatch(
      /6401 fields with fragments written out, at most 5000/,
    )
    const { errors } = await run.query(`{ ...F0 ...F0 ...F0 } ${flat.join(' ')} ${last}`)
    expect(errors).toEqual([])
  })

  test('3: a fragment in a circle, one that is missing and one that stands twice are refused', async () => {
    const circle = 'fragment A on Query { ...B } fragment B on Query { ...A }'
    expect((await refused(`{ ...A } ${circle}`))?.message).toMatch(/within itself/)
    expect((await refused('{ ...A }'))?.message).toMatch(/Unknown fragment "A"/)
    const twice = 'fragment A on Query { __typename } fragment A on Query { __typename }'
    expect((await refused(`{ ...A } ${twice}`))?.message).toMatch(/only one fragment named "A"/)
  })

  test('4: 2,001 tokens, a text of 10 kB as an argument and a body above 100 kB are refused', async () => {
    expect((await refused(`{ ${'id '.repeat(2000)} }`))?.message).toMatch(/2000 tokens/)
    const long = `{ search(query: "${'x'.repeat(10_000)}") { artists { nodes { name } } } }`
    const { errors } = await run.query(long)
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT'])
    expect((await run.query(`{ __typename } #${'x'.repeat(100_001)}`)).status).toBe(413)
    expect(run.upstream.requests).toHaveLength(0)
  })

  test('5: sixteen artists side by side are answered; 1,001 aliases and 201 paid ones are not', async () => {
    const paid = (count: number) =>
      `{ ${many(count, (at) => `a${at}: artist(cmId: ${at + 2}) { rank }`).join(' ')} }`
    expect(
      (
        await refused(
          `{ ${'...F '.repeat(7)} } fragment F on Query { ${many(143, (at) => `a${at}: __typename`).join(' ')} }`,
        )
      )?.message,
    ).toMatch(/1001 root fields/)
    // Six tokens and more a field: 201 of them are within the tokens of one document only as a list.
    const list = `query($ids: [Int!]!) { artists(cmIds: $ids) { rank } }`
    const error = await refused(list, 'CREDIT_LIMIT_EXCEEDED', { ids: many(201, (at) => at + 2) })
    expect(error?.extensions.credits).toBe(201)
    const compared = await openScripted(() => ({ body: { obj: { cm_artist_rank: 1 } } }))
    const { errors, credits } = await compared.query(paid(16))
    expect([errors, credits.spent]).toEqual([[], 16])
    await compared.close()
  })

  test('6: a field 100 times over is one; 1,000 times, 200 directives and 200 unknown ones are refused', async () => {
    const { data, errors } = await run.query(`{ ${'__typename '.repeat(100)} }`)
    expect([data, errors]).toEqual([{ __typename: 'Query' }, []])
    expect((await refused(`{ ${'__typename '.repeat(1000)} }`))?.message).toBe(
      'Validation aborted.',
    )
    expect((await refused(`{ __typename ${'@skip(if: false) '.repeat(200)} }`))?.message).toMatch(
      /can only be used once/,
    )
    expect(
      (await refused(`{ __typename ${many(200, (at) => `@x${at}`).join(' ')} }`))?.message,
    ).toMatch(/Unknown directive/)
  })

  test('7: a page of 10,001, of −1 or of 2^31 is refused, and so are lists within lists that come to more than 20,000', async () => {
    for (const first of [10_001, -1, 2 ** 31]) {
      const { errors } = await run.query(`{ radioStations(first: ${first}) { nodes { name } } }`)
      expect(
        errors.map(({ extensions }) => extensions.code),
        String(first),
      ).toEqual(['BAD_USER_INPUT'])
    }
    const nested = `query($ids: [Int!]!) { artists(cmIds: $ids) { tracks(first: 200) { nodes { track { name } } } } }`
    expect(
      (await refused(nested, 'BAD_USER_INPUT', { ids: many(200, (at) => at + 2) }))?.message,
    ).toMatch(/at most 20000/)
    expect(run.upstream.requests).toHaveLength(0)
  })

  test('8: an operation above its limit is refused with its price; a premium call counts two', async () => {
    const premium = '{ artist(cmId: 5) { premium { wherePeopleListen } } }'
    const { errors } = await run.query(premium, {}, { ...STRICT, 'x-credits-limit': '1' })
    expect(errors.map(({ extensions }) => extensions)).toEqual([
      { code: 'CREDIT_LIMIT_EXCEEDED', credits: 2 },
    ])
    expect(run.upstream.requests).toHaveLength(0)
  })

  test('10: a megabyte of variables, 100,000 ids and 1,000 levels of them are refused', async () => {
    const list = 'query($ids: [Int!]!) { artists(cmIds: $ids) { name } }'
    expect((await run.query(list, { ids: many(100_000, (at) => at + 2) })).status).toBe(413)
    expect((await run.query(list, { ids: [2], x: 'y'.repeat(1_000_000) })).status).toBe(413)
    const deep = JSON.parse(`${'['.repeat(1000)}5${']'.repeat(1000)}`)
    const { data, errors } = await run.query(list, { ids: deep })
    expect([data, errors[0]?.extensions.code]).toEqual([undefined, 'BAD_USER_INPUT'])
    const params = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`)
    const open = 'query($p: JSON) { artist(cmId: 5) { premium { wherePeopleListen(params: $p) } } }'
    expect((await run.query(open, { p: params })).errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(run.upstream.requests).toHaveLength(0)
  })

  test('10: ids of stream estimates are asked for once each, 50 to a call', async () => {
    const estimates = await openScripted(() => ({ body: { obj: [] } }))
    const ids = [...many(60, (at) => at + 1), ...many(60, (at) => at + 1)]
    await estimates.query(
      'query($ids: [Int!]!) { streamEstimates(trackCmIds: $ids, date: "2025-01-01") { status } }',
      { ids },
    )
    const sent = estimates.upstream.requests.map(({ body }) => JSON.parse(body).ids.length)
    expect(sent).toEqual([50, 10])
    await estimates.close()
  })
})

describe('what a document may ask', () => {
  test('11: introspection in circles meets the same depth', async () => {
    const circle = `{ __schema { ${'types { fields { type { '.repeat(7)} name ${'} } } '.repeat(7)} } }`
    expect((await refused(circle))?.message).toMatch(/levels, at most 20/)
  })

  test('11, 12: in production there is no introspection, and no hint of what is there', async () => {
    const closed = openGateway('http://127.0.0.1:9', { NODE_ENV: 'production', SANDBOX: '1' })
    expect((await closed.query('{ __schema { types { name } } }')).errors[0]?.message).toMatch(
      /introspection/i,
    )
    const near = await closed.query('{ artst(cmId: 5) { nam } }')
    expect(near.errors.map(({ message }) => message)).toEqual([
      'Cannot query field "artst" on type "Query".',
    ])
    const argument = await closed.query('{ artist(cmid: 5) { __typename } }')
    expect(JSON.stringify(argument.errors)).not.toMatch(/did you mean/i)
    await closed.gateway.close()
  })

  test('13: two operations without a name to choose by, and a name that is not there, are refused by name', async () => {
    const both = 'query A { __typename } query B { __typename }'
    const many = Array.from({ length: 9 }, (_, at) => `query Q${at} { __typename }`).join(' ')
    const long = 'x'.repeat(90_000)
    const cases: readonly (readonly [string, unknown, string, number])[] = [
      [both, null, 'one of "A", "B", got nothing', 200],
      [both, 'C', 'one of "A", "B", got "C"', 200],
      [both, '', 'one of "A", "B", got nothing', 200],
      [both, '__proto__', 'one of "A", "B", got "__proto__"', 200],
      [both, 'constructor', 'one of "A", "B", got "constructor"', 200],
      [both, 'C\n\u0000', String.raw`one of "A", "B", got "C\n\u0000"`, 200],
      [both, long, `one of "A", "B", got "${long.slice(0, 60)}…"`, 200],
      [many, 'C', 'one of "Q0", "Q1", "Q2", "Q3", "Q4" or 4 others, got "C"', 200],
      [
        '{ __typename }',
        'C',
        'left out, as the operation of the document has no name, got "C"',
        200,
      ],
      [
        'fragment A on Query { __typename }',
        null,
        'that of an operation, of which the document has none, got nothing',
        200,
      ],
      [both, ['A'], 'a text, got ["A"]', 400],
    ]
    for (const [query, operationName, expected, asJson] of cases)
      for (const [accept, status] of [
        [STRICT.accept, 400],
        ['application/json', asJson],
      ] as const) {
        const response = await run.gateway.yoga.fetch('http://gateway/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept },
          body: JSON.stringify({ query, operationName }),
        })
        const { data, errors } = await response.json()
        const argument = 'operationName'
        const message = `${argument} must be ${expected}`
        expect([response.status, data], expected).toEqual([status, undefined])
        expect(errors).toMatchObject([
          { message, extensions: { code: 'BAD_USER_INPUT', argument } },
        ])
      }
  })

  test('68: no subscription, no @defer, no @stream, no upload', async () => {
    expect((await run.query('subscription { artist(cmId: 5) { name } }')).data).toBeUndefined()
    for (const directive of ['@defer', '@stream'])
      expect(
        JSON.stringify(
          (await run.query(`{ artist(cmId: 5) { ... ${directive} { name } } }`)).errors,
        ),
      ).toMatch(/Unknown directive/)
    const form = new FormData()
    form.set('operations', '{"query":"{ __typename }"}')
    const response = await run.gateway.yoga.fetch('http://gateway/graphql', {
      method: 'POST',
      body: form,
    })
    expect(response.status).toBe(415)
  })
})
