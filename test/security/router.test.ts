import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'

const NEW = 'the-new-secret'
const OLD = 'the-old-secret'

let upstream: Awaited<ReturnType<typeof openScript>>
let closed: ReturnType<typeof openGateway>
beforeAll(async () => {
  upstream = await openScript(() => ({ body: { obj: { id: 5, name: 'Ada' } } }))
  closed = openGateway(upstream.url, { FEDERATION_SECRET: `${NEW},${OLD}` })
})
afterAll(async () => {
  await closed.gateway.close()
  await upstream.close()
})

const ENTITIES =
  'query($all: [_Any!]!) { _entities(representations: $all) { ... on Artist { name } } }'
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const STRICT = { accept: 'application/graphql-response+json' }

describe('what is for the router', () => {
  test('52: 1,001 and 10,000 representations are refused, unknown ones and odd members fail their own slot', async () => {
    const many = (count: number) => ({
      all: Array.from({ length: count }, () => ({ __typename: 'Artist', cmId: 5 })),
    })
    const over = await closed.query(ENTITIES, many(1001), { ...bearer(NEW), ...STRICT })
    expect([over.status, over.data, over.errors[0]?.extensions.code]).toEqual([
      400,
      undefined,
      'BAD_USER_INPUT',
    ])
    expect((await closed.query(ENTITIES, many(10_000), bearer(NEW))).status).toBe(413)
    const odd = await closed.query(
      ENTITIES,
      {
        all: [
          { __typename: 'Nothing', cmId: 5 },
          { __typename: '__proto__', cmId: 5 },
          { __typename: 'Artist' },
          { __typename: 'Artist', cmId: '5; drop' },
          { __typename: 'Artist', cmId: 5, name: 'Eve', toString: 1 },
        ],
      },
      bearer(NEW),
    )
    expect(odd.data._entities.slice(0, 4)).toEqual([null, null, null, null])
    expect(odd.data._entities[4]).toEqual({ name: 'Ada' })
    expect(JSON.stringify(odd.data)).not.toContain('Eve')
    for (const { extensions } of odd.errors) expect(extensions.code).toBe('BAD_USER_INPUT')
    expect(upstream.requests.length).toBeLessThanOrEqual(1)
  })

  test('53: whoever does not know the secret is refused before anything is asked', async () => {
    const before = upstream.requests.length
    const one = { all: [{ __typename: 'Artist', cmId: 7 }] }
    for (const headers of [
      {},
      bearer('wrong'),
      bearer(''),
      bearer(`${NEW},${OLD}`),
      bearer(NEW.slice(1)),
      bearer(NEW.toUpperCase()),
      { authorization: `Basic ${NEW}` },
      { 'x-api-key': NEW },
    ]) {
      for (const [query, variables] of [
        ['{ _service { sdl } }', {}],
        [ENTITIES, one],
      ] as const) {
        const { data, errors, status } = await closed.query(query, variables, {
          ...headers,
          ...STRICT,
        })
        expect([data, errors[0]?.extensions.code, status]).toEqual([
          undefined,
          'UNAUTHENTICATED',
          401,
        ])
      }
    }
    const hidden = 'query A { ...F } fragment F on Query { s: _service { sdl } }'
    expect((await closed.query(hidden)).errors[0]?.extensions.code).toBe('UNAUTHENTICATED')
    expect(upstream.requests).toHaveLength(before)
    expect((await closed.query('{ artist(cmId: 5) { name } }')).errors).toEqual([])
  })

  test('54: the old secret and the new one hold while they change, and are compared by digests of one length', async () => {
    for (const secret of [NEW, OLD])
      expect(
        (await closed.query('{ _service { sdl } }', {}, bearer(secret))).data._service.sdl,
      ).toContain('@key')
    // A comparison that stopped at the first difference, or at a length, would throw or pass here.
    for (const secret of ['t', NEW.slice(0, -1), `${NEW}x`, 'x'.repeat(5_000)])
      expect((await closed.query('{ _service { sdl } }', {}, bearer(secret))).data).toBeUndefined()
  })
})
