import type { Page, Today } from '../page.ts'
import { dateOf, dayOf, weekdayOf } from '../world/day.ts'
import type { World } from '../world.ts'

interface EstimateAsk extends Today {
  readonly ids: readonly number[]
  readonly date?: string
  readonly since?: string
  readonly until?: string
}

const FIRST_SNAPSHOT = dayOf('2020-01-02')
const WEEK = 7
const THURSDAY = 4

/** The snapshot that holds on a day: snapshots are taken on Thursdays. */
const snapshotBefore = (day: number): number => day - ((weekdayOf(day) - THURSDAY + WEEK) % WEEK)

/** `POST /api/track/playlist-stream-estimates`: one item an id, in the order asked. */
export const estimateRows = ({ dice, trackCounters, tracks }: World) => {
  const estimate = (id: number, day: number) => {
    const base = trackCounters.latest(id, 'platA_plays') / 500
    const gained = Math.round(base * (0.8 + 0.4 * dice.roll('estimate gained', id, day)))
    const share = dice.int('estimate share', id, 50, 900, day) / 1000
    const streams = Math.round(gained * share)
    const editorial = Math.round(streams * dice.roll('estimate editorial', id, day))
    const chart = Math.round((streams - editorial) * dice.roll('estimate chart', id, day))
    return {
      cm_track: id,
      timestp: dateOf(day),
      playlist_stream_pct: share,
      playlist_count: trackCounters.latest(id, 'platA_playlist_count'),
      expected_playlist_streams: streams,
      streams_gained_in_period: gained,
      expected_editorial: editorial,
      expected_chart: chart,
      expected_user_other: streams - editorial - chart,
    }
  }

  /** Snapshots asked for, oldest first; none before 2020-01-02 and none after yesterday. */
  const snapshots = (ask: EstimateAsk): number[] => {
    const latest = snapshotBefore(dayOf(ask.today) - 1)
    if (ask.date !== undefined) {
      const day = dayOf(ask.date)
      const held = snapshotBefore(day)
      return held >= FIRST_SNAPSHOT && day < dayOf(ask.today) ? [held] : []
    }
    if (ask.since === undefined && ask.until === undefined) return [latest]
    const first = Math.max(FIRST_SNAPSHOT, ask.since === undefined ? 0 : dayOf(ask.since))
    const last = Math.min(latest, ask.until === undefined ? latest : dayOf(ask.until))
    const days: number[] = []
    for (let day = snapshotBefore(last); day >= first; day -= WEEK) days.push(day)
    return days.reverse()
  }

  return {
    streamEstimates(ask: EstimateAsk): Page {
      const days = snapshots(ask)
      const rows = ask.ids.map((id) =>
        tracks.exists(id)
          ? {
              cm_track: id,
              status: 'available',
              estimates: days.map((day) => estimate(id, day)),
            }
          : { cm_track: id, status: 'not_found', estimates: [] },
      )
      return { rows, total: rows.length }
    },
  }
}
