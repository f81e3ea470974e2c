import { expect, onTestFinished, test } from 'vitest'
import { createAdminServer } from '../../src/server/admin.ts'
import { HOUR, handClock } from '../credits/ask.ts'
import { run } from '../support/run.ts'

type Opened = Awaited<ReturnType<typeof run>>

const operatorOf = async ({ gateway }: Opened) => {
  const settings = { port: 0, host: '127.0.0.1', isDraining: () => false }
  const admin = createAdminServer(gateway, settings)
  const address = await admin.listen()
  onTestFinished(() => admin.close())
  return `${address}/credits`
}

const overview = async (url: string) => {
  const answer = await fetch(url)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return answer.json()
}

test('the operator is told what was spent and saved, when, by whom and for what', async () => {
  const { clock, advance } = handClock('2026-03-10T12:00:30Z')
  const opened = await run({ clock, env: { CREDITS_PER_DAY: '10', CREDITS_PER_MONTH: '1000' } })
  const url = await operatorOf(opened)
  expect(await overview(url)).toMatchObject({ spent: 0, saved: 0, overTime: [], drift: [] })

  await opened.query('query Page { artist(cmId: 5) { rank } track(cmId: 7) { score } }')
  advance(2 * HOUR)
  await opened.query('query Page { artist(cmId: 5) { rank } }')
  await opened.query('query Other { album(cmId: 5) { name } }')
  const told = await overview(url)
  expect(told).toMatchObject({
    since: '2026-03-10T12:00:30.000Z',
    now: '2026-03-10T14:00:30.000Z',
    spent: 3,
    backgroundSpent: 0,
    saved: 1,
    savedBy: { hydrated: 0, window: 0, batched: 0, cache: 1, merged: 0 },
    perHour: 1,
    overTime: [
      { at: '2026-03-10T12:00:00.000Z', spent: 2, saved: 0 },
      { at: '2026-03-10T14:00:00.000Z', spent: 1, saved: 1 },
    ],
    byOperation: [
      { name: 'Page', spent: 2, saved: 1 },
      { name: 'Other', spent: 1, saved: 0 },
    ],
    byClient: [{ name: 'anonymous', spent: 3, saved: 1 }],
    health: { token: 'VALID', problem: null, pausedUntil: null, leftAlone: [] },
  })
  expect(told.byEndpoint).toContainEqual({ name: 'artist', spent: 1, saved: 1 })
  expect(told.spent).toBe(opened.meter.credits)
})

test('a budget is told with the moment at which it runs out, where that is before it starts anew', async () => {
  const { clock } = handClock('2026-03-10T12:00:00Z')
  const opened = await run({ clock, env: { CREDITS_PER_DAY: '10', CREDITS_PER_MONTH: '100000' } })
  const url = await operatorOf(opened)
  await opened.query('{ artist(cmId: 5) { rank } track(cmId: 7) { score } }')
  expect((await overview(url)).budgets).toEqual([
    {
      period: 'DAY',
      client: null,
      limit: 10,
      remaining: 8,
      resetsAt: '2026-03-11T00:00:00.000Z',
      endsAt: '2026-03-10T16:00:00.000Z',
    },
    {
      period: 'MONTH',
      client: null,
      limit: 100_000,
      remaining: 99_998,
      resetsAt: '2026-04-01T00:00:00.000Z',
      endsAt: null,
    },
  ])
})

test('a value that came otherwise than documented is counted once, however often it is asked for', async () => {
  const opened = await run()
  const url = await operatorOf(opened)
  const bad = {
    cm_artist_rank: 'first',
    created_at: 'never',
    moods: [{ id: 1, name: 'calm' }, 5, 7],
  }
  opened.sandbox.faults.inject('/api/artist/5', { body: { obj: { id: 5, name: 'Five', ...bad } } })
  const ask = (alias: string, column: string) =>
    opened.query(`{ ${alias}: artist(cmId: 5) { ${column} } again: artist(cmId: 5) { ${column} } }`)
  const columns = ['rank', 'createdAt', 'moods { name }']
  for (const alias of ['a', 'b', 'c', 'd'])
    for (const column of [columns.join(' '), ...columns]) await ask(alias, column)
  const { drift } = await overview(url)
  expect(drift.map(({ field, count }: { field: string; count: number }) => [field, count])).toEqual(
    expect.arrayContaining([
      ['artist.rank', 1],
      ['artist.createdAt', 1],
      ['artist.moods.[]', 2],
    ]),
  )
  expect(drift).toHaveLength(3)
})

test('a value that came otherwise than documented is counted, and after a day a minute is forgotten', async () => {
  const { clock, advance } = handClock('2026-03-10T12:00:00Z')
  const opened = await run({ clock })
  const url = await operatorOf(opened)
  opened.sandbox.faults.inject('/api/artist/5', {
    body: { obj: { id: 5, name: 'Five', cm_artist_rank: 'first' } },
  })
  await opened.query('{ artist(cmId: 5) { name rank } }')
  const { drift, overTime } = await overview(url)
  expect(drift).toContainEqual({ field: expect.stringMatching(/^artist\..*rank/i), count: 1 })
  expect(overTime).toHaveLength(1)
  advance(25 * HOUR)
  expect((await overview(url)).overTime).toEqual([])
})

test('no token is in what the operator is told', async () => {
  const opened = await run()
  const url = await operatorOf(opened)
  await opened.query('{ artist(cmId: 5) { rank } }')
  const text = await (await fetch(url)).text()
  expect(text).not.toContain('seed')
  expect(text).not.toMatch(/[A-Za-z0-9_-]{32,}/)
})

test('a browser gets a page that asks no other host for anything', async () => {
  const url = await operatorOf(await run())
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).not.toMatch(/<(script|link|img|iframe)[^>]*(src|href)="https?:/)
})
