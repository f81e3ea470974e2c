import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { expect, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { bearer, fileOf } from '../support/clients.ts'
import { figure } from '../support/figure.ts'
import { buildGateway } from '../support/gateway-process.ts'

const MB = 1024 * 1024
/** Kept for each of them, a key or a document would come to more than this from some thousands on. */
const MOST_GROWN = 24 * MB
/** Documents and keys under way at once. */
const AT_ONCE = 8

const ARTIST = '{ artist(cmId: 5) { rank } }'
const word = () => `x${randomBytes(6).toString('hex')}`

/** Documents that nobody has sent before: answered, of no field, of no syntax, and long ones. */
const DOCUMENTS: readonly (() => string)[] = [
  () => `query ${word()} { ${word()}: __typename }`,
  () => `{ ${word()} { ${word()} } }`,
  () => `{ ${word()}( }`,
  () => `{ __typename } # ${randomBytes(2_000).toString('hex')}`,
  () => `query($${word()}: Int) { __typename @include(if: $${word()}) }`,
]
/** Keys that nobody was given, in all the ways to send one. */
const STRANGERS: readonly (() => Record<string, string>)[] = [
  () => ({ authorization: `Bearer rfr_${randomBytes(32).toString('base64url')}` }),
  () => ({ 'x-api-key': word() }),
  () => ({ authorization: `Bearer ${word()}.${word()}.${word()}` }),
  () => ({ 'x-api-key': randomBytes(3_000).toString('hex') }),
  () => ({}),
]
const turnOf = <T>(all: readonly (() => T)[], at: number): T | undefined => all[at % all.length]?.()

type Answer = { readonly status: number; readonly text: string }

/** A gateway as an operator runs it, with one honest client, asked on connections that stay. */
const open = async () => {
  const gateways = buildGateway()
  onTestFinished(gateways.close)
  const folder = await mkdtemp(join(tmpdir(), 'refrain-crowd-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const CLIENTS_FILE = join(folder, 'clients.json')
  await writeFile(CLIENTS_FILE, fileOf({ name: 'web' }))
  const env = { SANDBOX: '1', STATE_DIR: 'off', LOG_LEVEL: 'error', CLIENTS_FILE }
  const gateway = await gateways.start(env, 'test/security/collect.mjs')
  const pool = new Pool(gateway.url, { connections: AT_ONCE + 1 })
  onTestFinished(() => pool.destroy())

  /** Asks again where a busy machine refuses. */
  const ask = async (query: string, headers: Record<string, string>): Promise<Answer> => {
    for (;;) {
      const { statusCode: status, body } = await pool.request({
        path: '/graphql',
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query }),
      })
      const text = await body.text()
      if (!text.includes('"OVERLOADED"')) return { status, text }
      await systemClock.sleep(200)
    }
  }
  const honest = async () => {
    const { data, errors } = JSON.parse((await ask(ARTIST, bearer('web'))).text)
    expect([typeof data.artist.rank, errors]).toEqual(['number', undefined])
  }
  const heap = async (): Promise<number> => {
    const looks = () => [...gateway.told().matchAll(/Heap: (\d+)/g)]
    const before = looks().length
    gateway.signal('SIGUSR2')
    await vi.waitFor(() => expect(looks().length).toBeGreaterThan(before), 30_000)
    return Number(looks().at(-1)?.[1])
  }
  const health = async () => JSON.parse(await (await fetch(`${gateway.operator}/readyz`)).text())
  const figures = async () => (await fetch(`${gateway.operator}/credits`)).json()

  /** Lets a crowd in, half of it before the heap is looked at, with the honest client among them. */
  const letIn = async (what: string, count: number, one: (at: number) => Promise<void>) => {
    let next = 0
    const letInUntil = async (end: number) => {
      const come = async () => {
        while (next < end) {
          const at = next
          next += 1
          if (at % 100 === 0) await honest()
          await one(at)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, come))
      return heap()
    }
    const before = await letInUntil(Math.ceil(count / 2))
    const grown = (await letInUntil(count)) - before
    figure(`${count} ${what}`, `heap ${(grown / MB).toFixed(1)} MB more with the second half`)
    expect(grown).toBeLessThan(MOST_GROWN)
    await honest()
  }
  return { ask, health, figures, letIn }
}

export const keysAreTurnedAway = async (count: number): Promise<void> => {
  const { ask, health, figures, letIn } = await open()
  await letIn('wrong keys', count, async (at) => {
    const { text } = await ask(ARTIST, turnOf(STRANGERS, at) ?? {})
    expect(text).toContain('"UNAUTHENTICATED"')
  })
  expect((await health()).strangers).toBe(count)
  const { byClient } = await figures()
  expect(byClient.map(({ name }: { name: string }) => name)).toEqual(['web'])
}

export const documentsLeaveNothing = async (count: number): Promise<void> => {
  const { ask, figures, letIn } = await open()
  await letIn('random documents', count, async (at) => {
    const { text } = await ask(turnOf(DOCUMENTS, at) ?? '', bearer('web'))
    expect(text).toMatch(/"data"|"errors"/)
  })
  const { spent, byOperation } = await figures()
  expect(spent).toBe(1)
  expect(byOperation.length).toBeLessThanOrEqual(501)
}
