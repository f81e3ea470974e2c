import { describe, expect, test } from 'vitest'
import { ask, handClock } from '../credits/ask.ts'
import { bearer, hashOf, keyOf, openClients } from '../support/clients.ts'

const ARTIST = '{ artist(cmId: 5) { rank } }'
const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { rank } }`
const PREMIUM = '{ artist(cmId: 5) { premium { wherePeopleListen } } }'
const bodyFor = ({ path }: { readonly path: string }) => ({
  body: { obj: { id: Number(path.split('/').at(-1)), cm_artist_rank: 3 } },
})

describe('two clients', () => {
  test('38: two clients share answers and keep budgets apart: the one that has spent its own is given what is held', async () => {
    const { query, upstream } = await openClients(
      [{ name: 'web', creditsPerDay: 1, creditsPerMonth: 10 }, { name: 'app' }],
      { reply: bodyFor },
    )
    const asWeb = (text: string) => query(text, {}, bearer('web'))
    expect((await asWeb(artist(5))).credits.spent).toBe(1)
    const refused = await asWeb(artist(6))
    expect(refused.data).toEqual({ artist: null })
    expect(refused.errors[0]?.extensions.code).toBe('CREDIT_BUDGET_EXHAUSTED')
    expect((await query(artist(6), {}, bearer('app'))).credits.spent).toBe(1)
    const held = await asWeb(artist(6))
    expect([held.data, held.credits.spent]).toEqual([{ artist: { rank: 3 } }, 0])
    expect(held.credits).toMatchObject({ budget: { limit: 1, remaining: 0 } })
    expect(upstream.requests).toHaveLength(2)
    const budgets = '{ credits { budgets { scope client period limit remaining } } }'
    expect((await asWeb(budgets)).data.credits.budgets).toEqual([
      { scope: 'CLIENT', client: 'web', period: 'DAY', limit: 1, remaining: 0 },
      { scope: 'CLIENT', client: 'web', period: 'MONTH', limit: 10, remaining: 9 },
    ])
    expect((await query(budgets, {}, bearer('app'))).data.credits.budgets).toEqual([])
  })

  test('38: an empty budget of one client keeps nobody else from a renewed answer', async () => {
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const { query, upstream } = await openClients(
      [{ name: 'poor', creditsPerDay: 0 }, { name: 'rich' }],
      { reply: bodyFor, parts: { clock } },
    )
    await query(ARTIST, {}, bearer('rich'))
    advance(48 * 3_600_000)
    const old = await query(ARTIST, {}, bearer('poor'))
    expect(old.data).toEqual({ artist: { rank: 3 } })
    expect(old.credits).toMatchObject({ spent: 0, stale: [{ reason: 'CREDIT_BUDGET_EXHAUSTED' }] })
    const fresh = await query(ARTIST, {}, bearer('rich'))
    expect(fresh.credits).toMatchObject({ spent: 1 })
    expect(fresh.credits).not.toHaveProperty('stale')
    expect(upstream.requests).toHaveLength(2)
  })

  test('38: premium answers only where it has the right, also where one is held', async () => {
    const { gateway, query, upstream } = await openClients([
      { name: 'web' },
      { name: 'paying', premium: true },
    ])
    const refused = async () => {
      const { data, errors, credits } = await query(PREMIUM, {}, bearer('web'))
      expect([data.artist.premium, errors.map(({ extensions }) => extensions.code)]).toEqual([
        { wherePeopleListen: null },
        ['FORBIDDEN'],
      ])
      expect(credits).toMatchObject({ spent: 0, saved: 0 })
    }
    const planned = async (client: string) => {
      const headers = { ...bearer(client), 'x-credits-plan': 'only' }
      const { plan } = await ask({ gateway }, PREMIUM, { headers })
      return [plan.min, plan.max, plan.calls.map(({ state }: { state: string }) => state)]
    }
    expect(await planned('web')).toEqual([0, 0, ['refused']])
    expect(await planned('paying')).toEqual([2, 2, ['miss']])
    await refused()
    for (let turn = 0; turn < 3; turn += 1)
      expect((await query(PREMIUM, {}, bearer('paying'))).errors).toEqual([])
    await refused()
    await refused()
    expect(await planned('web')).toEqual([0, 0, ['refused']])
    expect(await planned('paying')).toEqual([0, 0, ['hit']])
    expect(upstream.requests).toHaveLength(1)
    const beside = '{ artist(cmId: 5) { rank premium { wherePeopleListen } } }'
    const { data } = await query(beside, {}, { ...bearer('web'), 'x-credits-limit': '1' })
    expect(data.artist).toEqual({ rank: 3, premium: { wherePeopleListen: null } })
  })
})

test('54: a client is found by the digest of its whole key, which nothing near the key has', async () => {
  const key = keyOf('web')
  const { query, gateway } = await openClients([{ name: 'web' }])
  const known = async (sent: string) =>
    (await query(ARTIST, {}, { 'x-api-key': sent })).errors[0]?.extensions.code
  expect(await known(key)).toBeUndefined()
  const near = [
    ...Array.from({ length: key.length }, (_, at) => key.slice(0, at + 1)).slice(0, -1),
    ...Array.from({ length: key.length }, (_, at) => `${key.slice(0, at)}~${key.slice(at + 1)}`),
    key.toUpperCase(),
    `${key}0`,
    hashOf(key),
    hashOf(key).replace('sha256:', ''),
  ]
  for (const sent of near) expect(await known(sent)).toBe('UNAUTHENTICATED')
  expect(gateway.health().strangers).toBe(near.length)
})

describe('what a client is told of costs and ages', () => {
  test('64: nothing without the right, whether it is held or not', async () => {
    const { raw } = await openClients([{ name: 'web' }, { name: 'mute', reports: false }])
    await raw(ARTIST, bearer('web'))
    for (let turn = 0; turn < 3; turn += 1) {
      const told = await raw(ARTIST, bearer('web'))
      expect(JSON.parse(told.body.toString()).extensions.credits.saved).toBe(1)
      expect(Object.keys(told.headers)).toEqual(expect.arrayContaining(['age', 'cache-status']))
      expect(told.headers['cache-control']).toMatch(/^private, max-age=\d+$/)
      const mute = await raw(ARTIST, bearer('mute'))
      expect(JSON.parse(mute.body.toString())).toEqual({ data: { artist: { rank: 3 } } })
      expect(Object.keys(mute.headers).filter((name) => /age|status|credits/.test(name))).toEqual(
        [],
      )
      expect(mute.headers['cache-control']).toBe('no-store')
    }
  })

  test('64: no price, and no figures of others', async () => {
    const { query, upstream } = await openClients([{ name: 'mute', reports: false }])
    for (const plan of ['only', 'report']) {
      const { data, errors } = await query(
        ARTIST,
        {},
        { ...bearer('mute'), 'x-credits-plan': plan },
      )
      expect([data, errors[0]?.extensions.code]).toEqual([undefined, 'FORBIDDEN'])
    }
    for (const selection of ['credits { spent }', '... on Query { c: credits { since } }']) {
      const text = `query ($told: Boolean = true) {
        artist(cmId: 5) { rank } ... @include(if: $told) { ${selection} } }`
      const { data, errors } = await query(text, {}, bearer('mute'))
      expect([data, errors[0]?.extensions.code]).toEqual([undefined, 'FORBIDDEN'])
      expect(errors[0]?.message).toContain('Query.credits')
      expect(upstream.requests).toEqual([])
    }
    const told =
      '($told: Boolean!) { artist(cmId: 5) { rank } credits @include(if: $told) { spent } }'
    const without = await query(`query ${told}`, { told: false }, bearer('mute'))
    expect([without.data, without.errors]).toEqual([{ artist: { rank: 3 } }, []])
    const report = await query(ARTIST, {}, { ...bearer('mute'), 'x-credits-report': 'requests' })
    expect(report.credits).toBeUndefined()
  })

  test.each([
    ['a limit of its own', { creditsPerOperation: 1 }, {}, 'CREDIT_LIMIT_EXCEEDED'],
    ['a limit that it sends', {}, { 'x-credits-limit': '1' }, 'CREDIT_LIMIT_EXCEEDED'],
    ['a budget of a day', { creditsPerDay: 0 }, {}, 'CREDIT_BUDGET_EXHAUSTED'],
    ['a budget of a month', { creditsPerMonth: 0 }, {}, 'CREDIT_BUDGET_EXHAUSTED'],
    ['nothing that is held', {}, { 'cache-control': 'only-if-cached' }, 'NOT_CACHED'],
  ])('64: no figure in a refusal: %s', async (_, rights, headers, code) => {
    const { query } = await openClients(
      [
        { name: 'mute', reports: false, ...rights },
        { name: 'told', ...rights },
      ],
      { reply: bodyFor },
    )
    const two = '{ a: artist(cmId: 51) { rank } b: artist(cmId: 52) { rank } }'
    const ask = async (name: string) => {
      const { errors } = await query(two, {}, { ...bearer(name), ...headers })
      expect(errors.at(-1)?.extensions.code).toBe(code)
      return errors
    }
    const mute = await ask('mute')
    for (const { message, extensions } of mute) {
      expect(message.replace(/\b5[12]\b/, '')).not.toMatch(/\d|credits? (are|is) left of/)
      expect(extensions).not.toHaveProperty('credits')
    }
    const told = await ask('told')
    expect(told.some(({ extensions }) => 'credits' in extensions)).toBe(true)
  })
})
