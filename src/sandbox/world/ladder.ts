import { LRUCache } from 'lru-cache'
import type { World } from '../world.ts'
import { releasedBy } from './album.ts'
import { shuffle } from './shuffle.ts'
import { SIZE } from './size.ts'

/** A chart as it moves: which tracks stand where in each of its periods (days, or weeks). */
export interface Chart {
  /** What tells it from other charts: platform, country, genre, interval. */
  readonly key: string
  readonly rows: number
  /** The day on which a period of it is published. */
  day(period: number): number
}
export interface Place {
  readonly period: number
  readonly rank: number
}
/** A chart as it stands in one period. */
export interface Edition {
  /** Track ids, best first. */
  readonly tracks: readonly number[]
  /** A track's places from its entry up to this period, periods off the chart left out. */
  run(track: number): Place[]
}
export type Ladders = (chart: Chart, period: number) => Edition

/** Albums enter every third period and leave after 27: so far back goes a run, and with it a peak. */
const STEP = 3
const COHORTS = 9
const LIFE = STEP * COHORTS
/** Mean tracks of an album that enter, and how many more tracks compete than there are rows. */
const TRACKS_AN_ALBUM = 1.7
const COMPETITION = 1.35
/** The least share of the catalogue that is out while charts exist, so how far a cohort walks. */
const LEAST_RELEASED = 0.55

interface Cohort {
  readonly tracks: readonly number[]
  readonly strengths: readonly number[]
}
interface Standing {
  readonly tracks: readonly number[]
  readonly ranks: ReadonlyMap<number, number>
}

export const createLadders = ({ albums, dice, tracks }: World): Ladders => {
  const cohorts = new LRUCache<string, Cohort>({ max: 2_000 })
  const standings = new LRUCache<string, Standing>({
    maxSize: 200_000,
    sizeCalculation: ({ tracks: held }) => held.length + 1,
  })

  const cohortOf = (chart: Chart, cohort: number): Cohort => {
    const key = `${chart.key}#${cohort}`
    const held = cohorts.get(key)
    if (held !== undefined) return held
    const day = chart.day(cohort * STEP)
    const wanted = Math.ceil((chart.rows * COMPETITION) / (TRACKS_AN_ALBUM * COHORTS))
    const stride = Math.ceil(wanted / LEAST_RELEASED)
    const order = shuffle(SIZE.albums, dice.bits(chart.key, 0))
    const entering = Array.from({ length: Math.ceil(wanted / releasedBy(day)) }, (_, i) => {
      const position = (((cohort * stride + i) % SIZE.albums) + SIZE.albums) % SIZE.albums
      return order.at(position)
    })
      .filter((album) => albums.released(album) <= day)
      .flatMap((album) => albums.tracks(album).slice(0, dice.int('album singles', album, 2, 3)))
    const made = {
      tracks: entering,
      strengths: entering.map(
        (id) => 0.6 * dice.roll(chart.key, id) + 0.4 * (1 - tracks.rank(id) / SIZE.tracks),
      ),
    }
    cohorts.set(key, made)
    return made
  }

  const standingOf = (chart: Chart, period: number): Standing => {
    const key = `${chart.key}@${period}`
    const held = standings.get(key)
    if (held !== undefined) return held
    const last = Math.floor(period / STEP)
    const wobble = `${chart.key} wobble`
    const scored: { id: number; score: number }[] = []
    for (let cohort = last - COHORTS + 1; cohort <= last; cohort++) {
      const age = period - cohort * STEP
      const shape = (1 - age / LIFE) ** 0.7 * (0.7 + 0.3 * Math.min(1, age / 4))
      const { strengths, tracks: entered } = cohortOf(chart, cohort)
      entered.forEach((id, i) => {
        const score = (strengths[i] ?? 0) * shape + 0.06 * dice.roll(wobble, id, period)
        scored.push({ id, score })
      })
    }
    scored.sort((a, b) => b.score - a.score || a.id - b.id)
    const ids = scored.slice(0, chart.rows).map(({ id }) => id)
    const made = { tracks: ids, ranks: new Map(ids.map((id, i) => [id, i + 1])) }
    standings.set(key, made)
    return made
  }

  return (chart, period) => {
    const first = Math.max(0, period - LIFE + 1)
    const past = Array.from({ length: period - first + 1 }, (_, i) => standingOf(chart, first + i))
    return {
      tracks: standingOf(chart, period).tracks,
      run: (track) =>
        past.flatMap(({ ranks }, i) => {
          const rank = ranks.get(track)
          return rank === undefined ? [] : [{ period: first + i, rank }]
        }),
    }
  }
}
