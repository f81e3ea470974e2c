import { describe, expect, test } from 'vitest'
import { openGateway, openScripted } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'
import { ARTIST, ask, chartOf, NAMED, obj, PREMIUM } from './ask.ts'

describe('C. credits and plans', () => {
  test('35, 37: a request costs one credit whatever its rows', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ id: at, rank: at + 1 }))
    expect(
      (await ask('{ charts { platU(first: 100) { nodes { rank } } } }', chartOf(...rows))).credits
        .spent,
    ).toBe(1)
    expect((await ask('{ charts { platU { nodes { rank } } } }', chartOf())).credits.spent).toBe(1)
  })

  const OPERATIONS = [
    ...PREMIUM.artist.map((field) => `{ artist(cmId: 5) { premium { ${field} } } }`),
    ...PREMIUM.track.map((field) => `{ track(cmId: 5) { premium { ${field} } } }`),
    '{ brand(cmId: "7") { audience } }',
  ]
  test.each([...OPERATIONS])('36: %s costs two, in one request', async (text) => {
    const { credits, sent } = await ask(text, obj({}))
    expect([credits.spent, sent.length]).toEqual([2, 1])
  })

  test('38, 39: a failing request is charged, and so is its one repeat', async () => {
    expect((await ask(ARTIST, () => ({ status: 400, body: { error: 'no' } }))).credits.spent).toBe(
      1,
    )
    expect((await ask(ARTIST, () => ({ status: 404, body: {} }))).credits.spent).toBe(1)
    const failing = await ask(ARTIST, () => ({ status: 503, body: {} }))
    expect(failing.sent).toHaveLength(2)
    expect(failing.credits.spent).toBe(2)
  })

  test('40: invalid input costs nothing', async () => {
    const { credits, sent, codes } = await ask('{ track(cmId: -5) { name } }')
    expect([credits.spent, sent.length, codes]).toEqual([0, 0, ['BAD_USER_INPUT']])
  })

  test('41: cached and coalesced answers cost nothing', async () => {
    const run = await openScripted(NAMED)
    const [a, b] = await Promise.all([run.query(ARTIST), run.query(ARTIST)])
    expect(a.credits.spent + b.credits.spent).toBe(1)
    expect((await run.query(ARTIST)).credits.spent).toBe(0)
    expect(run.upstream.requests).toHaveLength(1)
    await run.close()
  })

  test('42: on a fixed-rate plan nothing is billed and no budget blocks', async () => {
    const upstream = await openScript(NAMED)
    const { gateway, query } = openGateway(upstream.url, { BILLED: 'none', CREDITS_PER_DAY: '1' })
    for (const cmId of [5, 6, 7]) {
      const { errors, credits } = await query(`{ artist(cmId: ${cmId}) { rank } }`)
      expect([errors, credits.spent]).toEqual([[], 0])
    }
    await gateway.close()
    await upstream.close()
  })

  test('43: no balance of the account is invented', async () => {
    const { data } = await ask(
      '{ __type(name: "Credits") { fields { name } } credits { budgets { limit } } }',
    )
    expect(data.__type.fields.map(({ name }: { name: string }) => name)).not.toContain('balance')
    expect(data.credits.budgets).toEqual([])
  })
})
