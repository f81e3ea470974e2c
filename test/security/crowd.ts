import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { bearer, openClients } from '../support/clients.ts'
import { figure } from '../support/figure.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const MB = 1024 * 1024
const heap = () => {
  collect()
  return process.memoryUsage().heapUsed
}
/** Kept for each of them, a key or a document would come to more than this from some thousands on. */
const MOST_GROWN = 24 * MB

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

/** Lets a crowd in, half of it before the heap is measured, with an honest client among them. */
const letIn = async (
  what: string,
  count: number,
  honest: () => Promise<void>,
  one: (at: number) => Promise<void>,
) => {
  const half = Math.ceil(count / 2)
  let before = 0
  for (let at = 0; at < count; at += 1) {
    if (at === half) before = heap()
    if (at % 100 === 0) await honest()
    await one(at)
  }
  const grown = heap() - before
  figure(`${count} ${what}`, `heap ${(grown / MB).toFixed(1)} MB more with the second half`)
  expect(grown).toBeLessThan(MOST_GROWN)
}

/** A gateway with one honest client. */
const open = async () => {
  const { query, upstream, gateway } = await openClients([{ name: 'web' }])
  const honest = async () => {
    const { data, errors } = await query(ARTIST, {}, bearer('web'))
    expect([data, errors]).toEqual([{ artist: { rank: 3 } }, []])
    expect(upstream.requests).toHaveLength(1)
  }
  return { query, gateway, honest }
}

export const keysAreTurnedAway = async (count: number): Promise<void> => {
  const { query, gateway, honest } = await open()
  await letIn('wrong keys', count, honest, async (at) => {
    const { data, errors } = await query(ARTIST, {}, turnOf(STRANGERS, at))
    expect([data, errors[0]?.extensions.code]).toEqual([undefined, 'UNAUTHENTICATED'])
  })
  expect(gateway.health().strangers).toBe(count)
  expect(gateway.upstream.book.byClient.map(({ name }) => name)).toEqual(['web'])
}

export const documentsLeaveNothing = async (count: number): Promise<void> => {
  const { query, gateway, honest } = await open()
  await letIn('random documents', count, honest, async (at) => {
    const { credits } = await query(turnOf(DOCUMENTS, at) ?? '', {}, bearer('web'))
    expect(credits?.spent ?? 0).toBe(0)
  })
  expect(gateway.upstream.book.byOperation.length).toBeLessThanOrEqual(501)
  expect(gateway.upstream.book.spent).toBe(1)
}
