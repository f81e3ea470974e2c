import { describe, expect, test } from 'vitest'
import { bearer, type Listed, openClients } from '../support/clients.ts'
import { holding } from '../support/holding.ts'

const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { rank } }`
const from = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)
const ranked = (cmId: number) => ({ artist: { rank: cmId } })

const open = async (clients: readonly Listed[]) => {
  const service = holding()
  const opened = await openClients(clients, {
    reply: service.reply,
    env: { UPSTREAM_CONCURRENCY: '512' },
  })
  const answerAll = () => {
    for (const { answer } of service.held) answer()
  }
  const ask = (name: string, ...ids: readonly number[]) =>
    ids.map((cmId) => opened.query(artist(cmId), {}, bearer(name)))
  /** Asks, and leaves when told to. */
  const leave = (name: string, cmId: number) => {
    const left = new AbortController()
    const headers = new Headers({ 'content-type': 'application/json', ...bearer(name) })
    const body = JSON.stringify({ query: artist(cmId) })
    void Promise.resolve(opened.gateway.answer({ headers, body, signal: left.signal })).catch(
      () => undefined,
    )
    return () => left.abort()
  }
  /** What is held from now on. */
  const hold = async (name: string, cmId: number) => {
    const before = service.held.length
    const [asked] = ask(name, cmId)
    await service.arrived(before + 1)
    service.held.at(-1)?.answer()
    await asked
  }
  return { ...opened, ...service, answerAll, ask, leave, hold }
}

describe('a client with as many operations under way as it may have', () => {
  test('is refused the 33rd at once and for nothing, and others notice nothing of it', async () => {
    const { ask, arrived, answerAll, raw, upstream } = await open([
      { name: 'web' },
      { name: 'app' },
    ])
    const all = ask('web', ...from(100, 32))
    expect(await arrived(32)).toEqual(from(100, 32))
    const { status, headers, body } = await raw(artist(200), bearer('web'))
    expect([status, headers['retry-after']]).toEqual([503, '3'])
    const { data, errors, extensions } = JSON.parse(body.toString())
    expect([data, extensions.credits.spent]).toEqual([undefined, 0])
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('This client has 32 operations under way'),
        extensions: { code: 'OVERLOADED', retryAfter: 3 },
      },
    ])
    const [other] = ask('app', 300)
    expect((await arrived(33)).at(-1)).toBe(300)
    answerAll()
    expect((await other)?.data).toEqual(ranked(300))
    expect((await Promise.all(all)).map((answer) => answer.data)).toEqual(from(100, 32).map(ranked))
    expect(upstream.requests).toHaveLength(33)
  })

  test('is let in again with the first that ends; one that it gives up ends with what it sent for', async () => {
    const { ask, leave, arrived, held, answerAll, hold } = await open([
      { name: 'web', operations: 2 },
    ])
    await hold('web', 5)
    const [first, second] = ask('web', 100, 101)
    await arrived(3)
    expect((await ask('web', 102)[0])?.errors[0]?.extensions.code).toBe('OVERLOADED')
    held[1]?.answer()
    await first
    const left = leave('web', 103)
    await arrived(4)
    left()
    // What has left for the service is paid for, and is for whoever asks for it next.
    expect((await ask('web', 104)[0])?.status).toBe(503)
    const [again] = ask('web', 103)
    held[3]?.answer()
    expect((await again)?.data).toEqual(ranked(103))
    const [fourth] = ask('web', 105)
    await arrived(5)
    answerAll()
    expect([(await second)?.data, (await fourth)?.data]).toEqual([ranked(101), ranked(105)])
  })

  test('gives up what waits for its slots, and is let in again at once', async () => {
    const { ask, leave, arrived, held, answerAll } = await open([
      { name: 'web', operations: 2, slots: 1 },
    ])
    const [first] = ask('web', 100)
    await arrived(1)
    for (let times = 0; times < 10; times += 1) {
      const left = leave('web', 200 + times)
      await arrived(1)
      left()
      await arrived(1)
    }
    const [second] = ask('web', 300)
    held[0]?.answer()
    await first
    expect(await arrived(2)).toEqual([100, 300])
    answerAll()
    expect((await second)?.data).toEqual(ranked(300))
  })

  test('is given what is held and what is on its way, and the held parts of what it is refused', async () => {
    const { ask, arrived, answerAll, hold, query } = await open([{ name: 'web', operations: 1 }])
    await hold('web', 5)
    const [first] = ask('web', 100)
    await arrived(2)
    const shared = ask('web', 100, 100)
    expect((await ask('web', 5)[0])?.data).toEqual(ranked(5))
    const mixed = '{ held: artist(cmId: 5) { rank } other: artist(cmId: 6) { rank } }'
    const { data, errors, status } = await query(mixed, {}, bearer('web'))
    expect([status, data]).toEqual([200, { held: { rank: 5 }, other: null }])
    expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['other'], 'OVERLOADED'],
    ])
    answerAll()
    for (const answer of await Promise.all([first, ...shared]))
      expect(answer?.data).toEqual(ranked(100))
  })

  test('is not held up by any number of answers that are held', async () => {
    const { ask, arrived, answerAll, hold, query } = await open([{ name: 'web', operations: 1 }])
    await hold('web', 5)
    const text = (at: number) => `{ a${at}: artist(cmId: 5) { rank } }`
    const hits = from(0, 200).map((at) => query(text(at), {}, bearer('web')))
    const [miss] = ask('web', 100)
    await arrived(2)
    answerAll()
    const statuses = (await Promise.all(hits)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await miss)?.data).toEqual(ranked(100))
  })

  test('goes on with what it has begun, though others have come meanwhile', async () => {
    const { ask, arrived, held, answerAll, query } = await open([{ name: 'web', operations: 1 }])
    const text = '{ track(cmId: 100) { artists { cmId rank } } }'
    const begun = query(text, {}, bearer('web'))
    await arrived(1)
    // It waits for what is on its way, and is there when the first one goes on.
    const sharing = query(text.replace('cmId ', ''), {}, bearer('web'))
    expect((await ask('web', 102)[0])?.status).toBe(503)
    held[0]?.answer()
    expect(await arrived(2)).toEqual([100, 1100])
    answerAll()
    expect((await begun).data).toEqual({ track: { artists: [{ cmId: 1100, rank: 1100 }] } })
    expect((await sharing).errors).toEqual([])
  })
})

test('whoever is no client has no bound of its own', async () => {
  const service = holding()
  const { query } = await openClients([], {
    reply: service.reply,
    env: { CLIENTS_FILE: '', UPSTREAM_CONCURRENCY: '512' },
  })
  const all = from(100, 60).map((cmId) => query(artist(cmId)))
  expect(await service.arrived(60)).toHaveLength(60)
  for (const { answer } of service.held) answer()
  for (const { status } of await Promise.all(all)) expect(status).toBe(200)
})
