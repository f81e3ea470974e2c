import { describe, expect, test } from 'vitest'
import { HOUR, handClock } from '../credits/ask.ts'
import { bearer, hashOf, keyOf, openClients } from '../support/clients.ts'

const ARTIST = '{ artist(cmId: 5) { rank } }'
const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { rank } }`
const STRICT = { accept: 'application/graphql-response+json' }
const bodyFor = ({ path }: { readonly path: string }) => ({
  body: { obj: { id: Number(path.split('/').at(-1)), cm_artist_rank: 3 } },
})

describe('who asks', () => {
  test('is named by its key, in either header, and nobody else is answered', async () => {
    const { query, upstream } = await openClients([{ name: 'web' }])
    for (const headers of [bearer('web'), { 'x-api-key': keyOf('web') }])
      expect((await query(ARTIST, {}, headers)).data).toEqual({ artist: { rank: 3 } })
    const strangers: Record<string, string>[] = [
      {},
      bearer('other'),
      { authorization: `Basic ${keyOf('web')}` },
      { authorization: keyOf('web') },
      { 'x-api-key': '' },
      { 'x-api-key': `${keyOf('web')}x` },
      { 'x-api-key': 'x'.repeat(10_000) },
      { 'x-api-key': keyOf('other'), ...bearer('web') },
    ]
    for (const headers of strangers)
      for (const text of [ARTIST, '{ __typename }', '{ __schema { queryType { name } } }', '{']) {
        const { data, errors, status } = await query(text, {}, { ...headers, ...STRICT })
        expect([data, errors.map(({ extensions }) => extensions.code), status]).toEqual([
          undefined,
          ['UNAUTHENTICATED'],
          401,
        ])
      }
    expect(upstream.requests).toHaveLength(1)
  })

  test('waits in a line of its own, and all who are not known in one', async () => {
    const { gateway } = await openClients([{ name: 'web' }, { name: 'app' }])
    const lineOf = (headers: Record<string, string>) => gateway.nameOf(new Headers(headers))
    expect([lineOf(bearer('web')), lineOf(bearer('app'))]).toEqual(['web', 'app'])
    const [one, other] = [lineOf(bearer('other')), lineOf({})]
    expect([typeof one, one]).toEqual(['string', other])
    const open = await openClients([], { env: { CLIENTS_FILE: '' } })
    expect(open.gateway.nameOf(new Headers(bearer('web')))).toBeUndefined()
  })

  test('has answers taken for fresh for longer while a budget of its own goes too fast, and nobody else has', async () => {
    const { clock, advance } = handClock('2026-03-10T00:30:00Z')
    const { raw } = await openClients([{ name: 'web', creditsPerDay: 20 }, { name: 'app' }], {
      reply: bodyFor,
      parts: { clock },
    })
    const ask = async (name: string, cmId: number) =>
      JSON.parse((await raw(artist(cmId), bearer(name))).body.toString()).extensions.credits
    for (let cmId = 5; cmId < 24; cmId++) expect((await ask('web', cmId)).spent).toBe(1)
    advance(8 * HOUR)
    const { spent, stretch, stale } = await ask('web', 5)
    expect([spent, stretch > 2, stale]).toEqual([
      0,
      true,
      [{ path: ['artist'], age: 8 * 3600, reason: 'BUDGET_PACE' }],
    ])
    expect(await ask('app', 5)).toMatchObject({ spent: 1 })
  })

  test('asks by GET and with a persisted hash under the same rule, and may ask beforehand what is allowed', async () => {
    const { gateway } = await openClients([{ name: 'web' }], {
      env: { CORS_ORIGINS: 'https://app.example' },
    })
    const address = `http://gateway/graphql?query=${encodeURIComponent(ARTIST)}`
    const get = (headers: Record<string, string>) => gateway.yoga.fetch(address, { headers })
    const stranger = await get({ origin: 'https://app.example' })
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(stranger.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect((await get(bearer('web'))).status).toBe(200)
    const preflight = await gateway.yoga.fetch('http://gateway/graphql', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(preflight.status).toBe(204)
  })

  test('stands beside what was spent and saved: in the report, and each client sees itself only', async () => {
    const { query, gateway } = await openClients([{ name: 'web' }, { name: 'app' }])
    await query(ARTIST, {}, bearer('web'))
    for (let turn = 0; turn < 3; turn += 1) await query(ARTIST, {}, bearer('app'))
    expect(gateway.upstream.book.byClient).toEqual([
      { name: 'web', spent: 1, saved: 0 },
      { name: 'app', spent: 0, saved: 3 },
    ])
    const report = '{ credits { byClient { name spent saved } } }'
    expect((await query(report, {}, bearer('app'))).data.credits.byClient).toEqual([
      { name: 'app', spent: 0, saved: 3 },
    ])
  })

  test('behind the router is named by x-api-key beside the router’s secret', async () => {
    const { query, gateway } = await openClients([{ name: 'web', creditsPerDay: 0 }], {
      env: { FEDERATION_SECRET: 'router-secret' },
    })
    const router = { authorization: 'Bearer router-secret' }
    expect((await query(ARTIST, {}, router)).credits.spent).toBe(1)
    expect((await query('{ _service { sdl } }', {}, router)).errors).toEqual([])
    const behind = { ...router, 'x-api-key': keyOf('web') }
    expect((await query('{ _service { sdl } }', {}, behind)).errors).toEqual([])
    expect((await query(artist(6), {}, behind)).errors[0]?.extensions.code).toBe(
      'CREDIT_BUDGET_EXHAUSTED',
    )
    const wrong = { ...router, 'x-api-key': 'nobody' }
    expect((await query(ARTIST, {}, wrong)).errors[0]?.extensions.code).toBe('UNAUTHENTICATED')
    const { errors } = await query('{ _service { sdl } }', {}, bearer('web'))
    expect(errors[0]?.extensions.code).toBe('UNAUTHENTICATED')
    expect(gateway.upstream.book.byClient.map(({ name }) => name)).toEqual(['router'])
  })
})

describe('what a client may spend', () => {
  test('is charged to the budget of all as well, and a refusal of either leaves both as they were', async () => {
    const { query } = await openClients([{ name: 'web', creditsPerDay: 3 }, { name: 'app' }], {
      env: { CREDITS_PER_DAY: '2' },
      reply: bodyFor,
    })
    const left = async (name: string) =>
      (
        await query('{ credits { budgets { scope remaining } } }', {}, bearer(name))
      ).data.credits.budgets.map(({ scope, remaining }: { scope: string; remaining: number }) => [
        scope,
        remaining,
      ])
    await query(artist(5), {}, bearer('web'))
    await query(artist(6), {}, bearer('app'))
    const { errors } = await query(artist(7), {}, bearer('web'))
    expect(errors[0]?.extensions.code).toBe('CREDIT_BUDGET_EXHAUSTED')
    expect(await left('web')).toEqual([
      ['DEPLOYMENT', 0],
      ['CLIENT', 2],
    ])
  })

  test('is bounded for each operation too', async () => {
    const { query } = await openClients([{ name: 'web', creditsPerOperation: 1 }])
    const two = '{ artist(cmId: 5) { rank } track(cmId: 5) { score } }'
    const { data, errors } = await query(two, {}, bearer('web'))
    expect([data, errors[0]?.extensions]).toEqual([
      undefined,
      { code: 'CREDIT_LIMIT_EXCEEDED', credits: 2 },
    ])
  })
})

describe('what a client is given', () => {
  test('only trusted documents where it is bound to them, or to some of them', async () => {
    const [one, two, three] = ['{ a: __typename }', '{ b: __typename }', '{ c: __typename }']
    const hash = (text: string) => hashOf(text).replace('sha256:', '')
    const { query } = await openClients(
      [
        { name: 'free' },
        { name: 'bound', documentsOnly: true },
        { name: 'narrow', documents: [hashOf(one)] },
      ],
      {
        env: { DOCUMENTS_FILE: 'documents.json', FEDERATION_SECRET: 'router-secret' },
        files: { 'documents.json': JSON.stringify({ [hash(one)]: one, [hash(two)]: two }) },
      },
    )
    const isAnswered = async (text: string, headers: Record<string, string>) => {
      // Twice and once more: the second and third time it is known, and may take the short way.
      const all = [text, text, text].map(() => query(text, {}, headers))
      const codes = (await Promise.all(all)).map(({ errors }) => errors[0]?.extensions.code)
      expect(new Set(codes).size).toBe(1)
      expect([undefined, 'FORBIDDEN']).toContain(codes[0])
      return codes[0] === undefined
    }
    const answered = async (headers: Record<string, string>) => [
      await isAnswered(one, headers),
      await isAnswered(two, headers),
      await isAnswered(three, headers),
    ]
    expect(await answered(bearer('free'))).toEqual([true, true, true])
    expect(await answered(bearer('bound'))).toEqual([true, true, false])
    expect(await answered(bearer('narrow'))).toEqual([true, false, false])
    const behind = { authorization: 'Bearer router-secret', 'x-api-key': keyOf('narrow') }
    expect(await answered(behind)).toEqual([true, true, true])
  })
})
