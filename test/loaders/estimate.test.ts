import { describe, expect, it, vi } from 'vitest'
import { createLedger } from '../../src/credits/ledger.ts'
import { createEstimates } from '../../src/loaders/estimate.ts'
import { createUpstream, type UpstreamParts } from '../../src/upstream/client.ts'
import { artist } from '../../src/upstream/endpoints/artist.ts'
import { createFacts } from '../../src/upstream/facts.ts'
import { createPacking } from '../../src/upstream/packed.ts'
import { request } from '../../src/upstream/request.ts'
import { createServed } from '../../src/upstream/served.ts'
import { createMemoryShelf } from '../../src/upstream/shelf.ts'
import type { WireRequest } from '../../src/upstream/transport/send.ts'
import { createTurns, RANK } from '../../src/upstream/turn.ts'
import { createAccounts } from '../support/accounts.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'
import { stepping } from '../upstream/transport/through.ts'

type Reply = (ids: number[], path: string) => object[]

const estimatesOf: Reply = (ids) =>
  ids.map((id) => ({ cm_track: id, status: 'available', estimates: [] }))

type Clock = ReturnType<typeof createFakeClock>

const upstreamOver = (clock: Clock, parts: Pick<UpstreamParts, 'send' | 'commons'>) => {
  const shelf = createMemoryShelf(1_000_000)
  return createUpstream({
    shelf,
    facts: createFacts(shelf, 1_000_000),
    packed: createPacking(1_000_000),
    clock,
    ...createAccounts(clock.now),
    background: createLedger(),
    ...parts,
  })
}

const operationOf = (clock: Clock) => ({
  ledger: createLedger(),
  deadline: 2_000_000,
  directives: {},
  since: clock.now(),
  served: createServed(),
})

/** A fake of everything below the client: it charges, as the meter does, and answers by ids. */
const open = (reply: Reply = estimatesOf) => {
  const clock = createFakeClock(1_000_000)
  const sent: { ids: number[]; path: string }[] = []
  const send = async ({ body = '', path, credits }: WireRequest) => {
    await operation.ledger.charge(credits, 'streamEstimates')
    const { ids } = JSON.parse(body)
    sent.push({ ids, path })
    return { status: 200, headers: {}, text: JSON.stringify({ obj: reply(ids, path) }) }
  }
  const upstream = upstreamOver(clock, { send: stepping(send) })
  let operation = operationOf(clock)
  let load = createEstimates(upstream, operation, async () => undefined)
  return {
    sent,
    begin() {
      operation = operationOf(clock)
      load = createEstimates(upstream, operation, async () => undefined)
    },
    load: (ids: readonly number[], days: Parameters<typeof load>[1] = {}) =>
      Promise.allSettled(ids.map((id) => load(id, days))),
    credits: () => ({ spent: operation.ledger.spent, ...operation.ledger.savedBy }),
  }
}

const statuses = (settled: Awaited<ReturnType<ReturnType<typeof open>['load']>>) =>
  settled.map((slot) =>
    slot.status === 'fulfilled' ? [slot.value.value.trackId, slot.value.value.status] : 'failed',
  )

describe('estimates of one operation', () => {
  it('share requests of 50 tracks, whoever asks', async () => {
    const run = open()
    const ids = Array.from({ length: 120 }, (_, i) => 1000 - i)
    await Promise.all([run.load(ids.slice(0, 70)), run.load(ids.slice(70))])
    expect(run.sent.map((request) => request.ids.length)).toEqual([50, 50, 20])
    expect(run.credits()).toMatchObject({ spent: 3, batched: 117, merged: 0 })
  })

  it('are found by their track, not by their place, and one left out was not found', async () => {
    const run = open(() => [
      { cm_track: '999', status: 'not_found' },
      { cm_track: 501, status: 'available', estimates: [] },
    ])
    expect(statuses(await run.load([501, 777, 999]))).toEqual([
      [501, 'available'],
      [777, 'not_found'],
      [999, 'not_found'],
    ])
  })

  it('are asked once a track, however often it is asked for', async () => {
    const run = open()
    expect(statuses(await run.load([7, 8, 7]))).toEqual([
      [7, 'available'],
      [8, 'available'],
      [7, 'available'],
    ])
    await run.load([7])
    expect(run.sent.map((request) => request.ids)).toEqual([[7, 8]])
    expect(run.credits()).toMatchObject({ spent: 1, batched: 1, merged: 2 })
  })

  it('of different days are different requests', async () => {
    const run = open()
    await Promise.all([
      run.load([1]),
      run.load([1], { date: '2026-01-02' }),
      run.load([1, 2], { since: '2025-12-01', until: null }),
    ])
    expect(run.sent.map((request) => request.path).sort()).toEqual([
      '/api/track/playlist-stream-estimates',
      '/api/track/playlist-stream-estimates?date=2026-01-02',
      '/api/track/playlist-stream-estimates?since=2025-12-01',
    ])
    expect(run.credits()).toMatchObject({ spent: 3, batched: 1, merged: 0 })
  })

  it('fail in the slot that is wrong and in no other', async () => {
    const run = open()
    expect(statuses(await run.load([1, -1, 2]))).toEqual([
      [1, 'available'],
      'failed',
      [2, 'available'],
    ])
    expect(run.sent.map((request) => request.ids)).toEqual([[1, 2]])
  })

  it('of an earlier operation are held', async () => {
    const run = open()
    await run.load([1, 2])
    run.begin()
    await run.load([2, 1])
    expect(run.sent).toHaveLength(1)
    expect(run.credits()).toMatchObject({ spent: 0, cache: 2, batched: 0 })
    run.begin()
    await run.load([1, 3])
    expect(run.sent.at(-1)?.ids).toEqual([3])
  })
})

it('that are still looked for with other replicas yield as late as the last of those who ask for them', async () => {
  const clock = createFakeClock(1_000_000)
  const sent: string[] = []
  /** Ends the look for the estimates, once it has begun. */
  let found: (() => void) | undefined
  const upstream = upstreamOver(clock, {
    send: stepping(({ endpoint }) => {
      sent.push(endpoint)
      return new Promise(() => undefined)
    }),
    commons: {
      look: (key) =>
        new Promise((resolve) => {
          if (key.includes('estimates')) found = () => resolve(undefined)
          else resolve(undefined)
        }),
      claim: async () => ({ end: () => undefined }),
      keep: () => undefined,
      figures: { found: 0, missed: 0, kept: 0, alone: 0, bytesRead: 0, bytesWritten: 0 },
    },
  })
  const operation = { ...operationOf(clock), inTurn: createTurns() }
  const load = createEstimates(upstream, operation, async () => undefined)
  void upstream.call(request(artist, { cmId: 5 }), operation)
  void load(7, {}, { rank: RANK.LOW })
  await vi.waitFor(() => expect([sent, found]).toEqual([['artist'], expect.any(Function)]), 10_000)
  void load(7, {}, { rank: RANK.HIGH })
  found?.()
  await vi.waitFor(() => expect(sent).toEqual(['artist', 'streamEstimates']), 10_000)
})
