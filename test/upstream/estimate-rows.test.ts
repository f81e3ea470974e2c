import { describe, expect, it } from 'vitest'
import { streamEstimates } from '../../src/upstream/endpoints/estimate.ts'

const opened = (obj: unknown, drift: string[] = []) =>
  streamEstimates.open({ obj }, { note: (path) => drift.push(path) })?.rows ??
  expect.fail('unreadable')

const snapshotOf = (track: number | string, change: object = {}) => ({
  cm_track: track,
  timestp: '2026-01-02',
  playlist_stream_pct: 0.41,
  playlist_count: 210,
  expected_playlist_streams: 120331,
  streams_gained_in_period: 293000,
  expected_editorial: 90000,
  expected_chart: 10331,
  expected_user_other: 20000,
  ...change,
})

describe('a stream estimate', () => {
  it('tells its snapshots, and that a track is missing', () => {
    const drift: string[] = []
    const items = [
      { cm_track: 501, status: 'available', estimates: [snapshotOf(501)] },
      { cm_track: 999, status: 'not_found' },
    ]
    const [found, missing] = opened(items, drift)
    expect(found).toMatchObject({ trackId: 501, status: 'available' })
    expect(found?.estimates).toMatchObject([
      {
        date: '2026-01-02',
        trackId: 501,
        playlistStreamPercent: 0.41,
        playlistCount: 210,
        expectedPlaylistStreams: 120331,
        streamsGainedInPeriod: 293000,
        expectedEditorial: 90000,
        expectedChart: 10331,
        expectedUserOther: 20000,
      },
    ])
    expect(missing).toMatchObject({ trackId: 999, status: 'not_found', estimates: [] })
    expect(drift).toEqual([])
  })

  it('reads numbers from text', () => {
    const change = { playlist_stream_pct: null, expected_playlist_streams: '3000000000' }
    const [item] = opened([
      { cm_track: '501', status: 'available', estimates: [snapshotOf('501', change)] },
    ])
    expect(item).toMatchObject({ trackId: 501 })
    expect(item?.estimates).toMatchObject([
      { trackId: 501, playlistStreamPercent: null, expectedPlaylistStreams: 3_000_000_000 },
    ])
  })

  it('has no status where the word is unknown', () => {
    const drift: string[] = []
    expect(opened([{ cm_track: 1, status: 'pending', estimates: [] }], drift)[0]?.status).toBeNull()
    expect(drift).toEqual(['status'])
  })
})
