import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { bearer, fileOf, type Listed } from '../support/clients.ts'
import { figure } from '../support/figure.ts'
import { buildGateway } from '../support/gateway-process.ts'
import { holding } from '../support/holding.ts'
import { openScript, type Scripted, type Seen } from '../support/script.ts'

const gateways = buildGateway()
afterEach(gateways.end)
afterAll(gateways.close)

const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { rank } }`
const artists = (first: number, count: number) =>
  `{ ${Array.from({ length: count }, (_, at) => `a${at}: artist(cmId: ${first + at}) { rank }`).join(' ')} }`
const PATIENT = { UPSTREAM_TIMEOUT_MS: '120000', OPERATION_TIMEOUT_MS: '120000' }
/** More connections at a time than this are more than a listening socket lets wait. */
const AT_ONCE = 40

/** A process with two clients, of whom one takes all it can get; the service answers as it is told. */
const open = async (
  reply: (seen: Seen) => Promise<Scripted>,
  greedy: Omit<Listed, 'name'>,
  env: Readonly<Record<string, string>>,
) => {
  const service = await openScript(reply)
  onTestFinished(() => service.close())
  const folder = await mkdtemp(join(tmpdir(), 'refrain-greedy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const CLIENTS_FILE = join(folder, 'clients.json')
  await writeFile(CLIENTS_FILE, fileOf({ name: 'greedy', ...greedy }, { name: 'honest' }))
  const gateway = await gateways.start({
    UPSTREAM_URL: service.url,
    UPSTREAM_REFRESH_TOKEN: 'seed',
    STATE_DIR: 'off',
    CLIENTS_FILE,
    ...env,
  })
  const ask = async (client: string, query: string, signal?: AbortSignal) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(client) },
      body: JSON.stringify({ query }),
      ...(signal && { signal }),
    })
    return JSON.parse(await response.text())
  }
  /** A machine that is busy with other things may refuse once, and twice, but not for long. */
  const honest = (query: string) =>
    vi.waitFor(
      async () => {
        const { data, errors } = await ask('honest', query)
        expect(errors).toBeUndefined()
        return data
      },
      { timeout: 60_000, interval: 500 },
    )
  const running = async (): Promise<number> =>
    JSON.parse(await (await fetch(`${gateway.operator}/readyz`)).text()).operations
  return { service, ask, honest, running }
}

describe('beside a client that takes all it can get', () => {
  test('who waits 600 times for what is on its way keeps nobody from sending', async () => {
    const { held, reply } = holding()
    const { ask, honest, running } = await open(reply, {}, PATIENT)
    const waiting: Promise<{ data: unknown }>[] = []
    while (waiting.length < 600) {
      waiting.push(...Array.from({ length: AT_ONCE }, () => ask('greedy', artist(100))))
      await vi.waitFor(async () => expect(await running()).toBe(waiting.length), 60_000)
    }
    const asked = honest(artist(5))
    await vi.waitFor(() => expect(held.map(({ id }) => id)).toContain(5), 60_000)
    held.find(({ id }) => id === 5)?.answer()
    expect(await asked).toEqual({ artist: { rank: 5 } })
    for (const { answer } of held) answer()
    const answered = await Promise.all(waiting)
    expect(new Set(answered.map(({ data }) => JSON.stringify(data)))).toEqual(
      new Set(['{"artist":{"rank":100}}']),
    )
    figure('clients', `${waiting.length} that wait for one answer, and an honest miss is sent for`)
  }, 240_000)

  test.each([
    ['operations', { operations: 4 }, 1],
    ['slots', { slots: 4 }, 4],
  ])(
    'who leaves and asks again has no more on its way than its %s',
    async (word, bound, parts) => {
      const { held, reply } = holding()
      const env = { ...PATIENT, UPSTREAM_CONCURRENCY: '64' }
      const { ask, honest, service } = await open(reply, bound, env)
      let refused = 0
      for (let times = 0; times < 12; times += 1) {
        const left = new AbortController()
        const before = held.length
        const over = ask('greedy', artists(1_000 + parts * times, parts), left.signal).then(
          ({ errors }) => {
            refused += errors === undefined ? 0 : 1
          },
          () => undefined,
        )
        // Until it has left for the service, is refused, or waits in vain.
        const sent = vi.waitFor(() => expect(held.length).toBeGreaterThan(before), 1_000)
        await Promise.race([over, sent.catch(() => undefined)])
        left.abort()
        await over
      }
      expect(held).toHaveLength(4)
      const asked = honest(artist(5))
      await vi.waitFor(() => expect(held).toHaveLength(5), 60_000)
      for (const { answer } of held) answer()
      expect(await asked).toEqual({ artist: { rank: 5 } })
      // What it began is here: it may ask again.
      const again = ask('greedy', artist(6))
      await vi.waitFor(() => expect(held).toHaveLength(6), 60_000)
      held[5]?.answer()
      expect((await again).data).toEqual({ artist: { rank: 6 } })
      figure(
        'clients',
        `${word}: 12 times left and asked again, ${service.requests.length - 2} sent, ${refused} refused`,
      )
    },
    240_000,
  )

  test('who asks for 32 times 100 answers at once has nobody refused for the time they take', async () => {
    const reply = async ({ path }: Seen): Promise<Scripted> => {
      const id = Number(path.split('/').at(-1))
      await systemClock.sleep(100)
      return { body: { obj: { id, cm_artist_rank: id } } }
    }
    const env = { UPSTREAM_CONCURRENCY: '2', OPERATION_TIMEOUT_MS: '30000' }
    const { ask, honest, service } = await open(reply, {}, env)
    await honest(artist(5))
    const over = new AbortController()
    const flood = async (line: number) => {
      for (let times = 0; !over.signal.aborted; times += 1) {
        const query = artists(1_000 + 100 * (32 * times + line), 100)
        await ask('greedy', query, over.signal).catch(() => undefined)
        await systemClock.sleep(100)
      }
    }
    const floods = Promise.all(Array.from({ length: 32 }, (_, line) => flood(line)))
    await vi.waitFor(() => expect(service.requests.length).toBeGreaterThan(20), 60_000)
    for (let cmId = 10; cmId < 30; cmId += 1)
      expect(await honest(artist(cmId))).toEqual({ artist: { rank: cmId } })
    over.abort()
    await floods
    figure('clients', '20 of 20 honest misses answered beside 32 times 100')
  }, 240_000)

  test('who asks all the time for more than the process has strength for is refused alone', async () => {
    const reply = async ({ path }: Seen): Promise<Scripted> => {
      const id = Number(path.split('/').at(-1))
      return { body: { obj: { id, cm_artist_rank: id } } }
    }
    const { ask, honest } = await open(reply, {}, { LOG_LEVEL: 'error' })
    await honest(artist(5))
    let isOver = false
    const flood = async (line: number) => {
      for (let times = 0; !isOver; times += 1) {
        const query = artists(1_000 + 100 * (100 * times + line), 100)
        await ask('greedy', query)
      }
    }
    const floods = Promise.all(Array.from({ length: 100 }, (_, line) => flood(line)))
    /** Whether each question was answered. A process that has just begun has bad seconds of its own: the last 80 count. */
    const told: boolean[] = []
    const answered = () => told.slice(-80).filter(Boolean).length
    for (let times = 0; times < 300 && (told.length < 80 || answered() <= 40); times += 1) {
      for (const cmId of [5, 500_000 + times]) {
        const { errors } = await ask('honest', artist(cmId))
        told.push(errors === undefined)
      }
      await systemClock.sleep(100)
    }
    isOver = true
    await floods
    figure(
      'clients',
      `${answered()} of 80 honest questions answered beside 100 times 100 all the time`,
    )
    // It was 11 of 80 where the strain of one was that of all.
    expect(answered()).toBeGreaterThan(40)
  }, 600_000)
})
