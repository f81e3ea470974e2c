import { afterEach, describe, expect, it } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((run) => run.close()))
})
const run = async (script: (seen: Seen) => Scripted) => {
  const started = await openScripted(script)
  open.push(started)
  return started
}
const idsOf = ({ body }: Seen): number[] => JSON.parse(body).ids
/** Every even track is known; the items come in another order than asked. */
const estimates = (seen: Seen): Scripted => ({
  body: {
    obj: idsOf(seen)
      .toReversed()
      .map((id) =>
        id % 2 === 1
          ? { cm_track: id, status: 'not_found' }
          : {
              cm_track: id,
              status: 'available',
              estimates: [
                {
                  cm_track: id,
                  timestp: '2026-01-02',
                  playlist_stream_pct: 0.41,
                  playlist_count: 210,
                  expected_playlist_streams: '3000000000',
                  streams_gained_in_period: 293000,
                  expected_editorial: 90000,
                  expected_chart: 10331,
                  expected_user_other: 20000,
                },
              ],
            },
      ),
  },
})

describe('stream estimates', () => {
  it('keep the order asked for; a bad number fails its slot, a missing track does not', async () => {
    const { query, upstream } = await run(estimates)
    const { data, errors, credits } = await query(
      `{ streamEstimates(trackCmIds: [502, -1, 999, 500, 502], date: "2026-01-02") {
          track { id } status
          estimates {
            date trackId playlistStreamPercent playlistCount expectedPlaylistStreams
            streamsGainedInPeriod expectedEditorial expectedChart expectedUserOther
          }
      } }`,
    )
    const snapshot = (trackId: number) => ({
      date: '2026-01-02',
      trackId,
      playlistStreamPercent: 0.41,
      playlistCount: 210,
      expectedPlaylistStreams: 3_000_000_000,
      streamsGainedInPeriod: 293_000,
      expectedEditorial: 90_000,
      expectedChart: 10_331,
      expectedUserOther: 20_000,
    })
    const known = (id: number) => ({
      track: { id: `Track:${id}` },
      status: 'AVAILABLE',
      estimates: [snapshot(id)],
    })
    expect(data.streamEstimates).toEqual([
      known(502),
      null,
      { track: { id: 'Track:999' }, status: 'NOT_FOUND', estimates: [] },
      known(500),
      known(502),
    ])
    expect(errors).toMatchObject([
      {
        path: ['streamEstimates', 1],
        extensions: { code: 'BAD_USER_INPUT', argument: 'trackCmIds' },
      },
    ])
    expect(upstream.requests.map((seen) => [seen.method, seen.query, idsOf(seen)])).toEqual([
      ['POST', [['date', '2026-01-02']], [500, 502, 999]],
    ])
    expect(upstream.requests[0]?.headers['content-type']).toMatch(/^application\/json/)
    expect(credits).toMatchObject({ spent: 1, saved: 3, savedBy: { batched: 2, merged: 1 } })
  })

  it('of 120 tracks cost three credits', async () => {
    const { query, upstream } = await run(estimates)
    const { data, credits } = await query(
      'query ($ids: [Int!]!) { streamEstimates(trackCmIds: $ids) { status } }',
      { ids: Array.from({ length: 120 }, (_, i) => i) },
    )
    expect(data.streamEstimates).toHaveLength(120)
    expect(upstream.requests.map((seen) => idsOf(seen).length)).toEqual([50, 50, 20])
    expect(credits).toMatchObject({ spent: 3, savedBy: { batched: 117 } })
  })

  it('of the tracks of a page share requests, and no track is asked for', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ cm_track: i, name: `Track ${i}` }))
    const { query, upstream } = await run((seen) =>
      seen.method === 'POST' ? estimates(seen) : { body: { obj: rows, offset: 0, total: 60 } },
    )
    const { data, errors, credits } = await query(
      '{ tracksByStat(first: 60) { nodes { track { streamEstimates { status track { cmId } } } } } }',
    )
    expect(errors).toEqual([])
    expect(data.tracksByStat.nodes[3]).toEqual({
      track: { streamEstimates: { status: 'NOT_FOUND', track: { cmId: 3 } } },
    })
    expect(upstream.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST'])
    expect(credits.spent).toBe(3)
  })

  it('of one track do not ask for the track', async () => {
    const { query, upstream } = await run(estimates)
    const { data } = await query(
      '{ track(cmId: 500) { id streamEstimates(since: "2025-12-01") { status } } }',
    )
    expect(data.track).toEqual({ id: 'Track:500', streamEstimates: { status: 'AVAILABLE' } })
    expect(upstream.requests.map(({ query: pairs }) => pairs)).toEqual([[['since', '2025-12-01']]])
  })

  it.each([
    ['date: "2026-01-02", since: "2025-12-01"', 'date'],
    ['date: "2026-01-02", until: "2026-01-02"', 'date'],
    ['since: "2026-01-02", until: "2026-01-01"', 'since'],
    ['date: "2025-02-30"', 'date'],
  ])('with (%s) are refused whole, and siblings stand', async (days, argument) => {
    const { query, upstream } = await run(estimates)
    const { data, errors } = await query(
      `{ bad: streamEstimates(trackCmIds: [1, 2], ${days}) { status } good: streamEstimates(trackCmIds: [2]) { status } }`,
    )
    expect(data).toEqual({ bad: null, good: [{ status: 'AVAILABLE' }] })
    expect(errors).toMatchObject([
      { path: ['bad'], extensions: { code: 'BAD_USER_INPUT', argument } },
    ])
    expect(upstream.requests).toHaveLength(1)
  })

  it('that the plan does not permit are an error of their slots', async () => {
    const { query } = await run(() => ({ status: 403, body: { error: 'not in plan' } }))
    const { data, errors } = await query(
      '{ streamEstimates(trackCmIds: [1, 2]) { status } __typename }',
    )
    expect(data).toEqual({ streamEstimates: [null, null], __typename: 'Query' })
    expect(errors.map(({ extensions }) => extensions.code)).toEqual([
      'UPSTREAM_FORBIDDEN',
      'UPSTREAM_FORBIDDEN',
    ])
  })
})
