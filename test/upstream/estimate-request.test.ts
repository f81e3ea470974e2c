import { describe, expect, it } from 'vitest'
import { streamEstimates } from '../../src/upstream/endpoints/estimate.ts'
import type { Args } from '../../src/upstream/params.ts'
import { request } from '../../src/upstream/request.ts'

const wireOf = (args: Args) => request(streamEstimates, args).wire

describe('stream estimates on the wire', () => {
  it('are a POST with the ids in the body and the days in the query', () => {
    expect(wireOf({ trackCmIds: [999, 501, 999] })).toEqual({
      method: 'POST',
      path: '/api/track/playlist-stream-estimates',
      credits: 1,
      endpoint: 'streamEstimates',
      headers: {},
      body: '{"ids":[501,999]}',
    })
    expect(wireOf({ trackCmIds: [0], date: '2026-01-02' })).toMatchObject({
      path: '/api/track/playlist-stream-estimates?date=2026-01-02',
      body: '{"ids":[0]}',
    })
    expect(wireOf({ trackCmIds: [1], since: '2025-12-01', until: '2025-12-31' }).path).toBe(
      '/api/track/playlist-stream-estimates?since=2025-12-01&until=2025-12-31',
    )
    expect(wireOf({ trackCmIds: [1], until: '2025-12-31' }).path).toBe(
      '/api/track/playlist-stream-estimates?until=2025-12-31',
    )
  })

  it.each<[string, Args, RegExp]>([
    ['51 ids', { trackCmIds: Array.from({ length: 51 }, (_, i) => i) }, /at most 50/],
    ['a negative id', { trackCmIds: [-1] }, /^trackCmIds must be an integer from 0 to 2147483647/],
    ['no ids', {}, /^trackCmIds/],
    [
      'a day and a first day',
      { trackCmIds: [1], date: '2026-01-02', since: '2025-12-01' },
      /^date: .*excludes/,
    ],
    [
      'a day and a last day',
      { trackCmIds: [1], date: '2026-01-02', until: '2026-01-02' },
      /^date: .*excludes/,
    ],
    [
      'days in the wrong order',
      { trackCmIds: [1], since: '2026-01-02', until: '2026-01-01' },
      /^since: /,
    ],
    ['a day that no calendar has', { trackCmIds: [1], date: '2025-02-30' }, /^date must be a day/],
  ])('are not sent with %s', (_what, args, message) => {
    expect(() => wireOf(args)).toThrow(message)
  })
})
