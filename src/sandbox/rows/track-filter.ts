import type { Page, Today } from '../page.ts'
import { dateOf, dayOf } from '../world/day.ts'
import { MOODS, namesOf, someOf } from '../world/genre.ts'
import { createOrders, select, walk } from '../world/order.ts'
import { SIZE } from '../world/size.ts'
import { PERIODS, type Period, TRACK_COUNTERS, type TrackCounter } from '../world/track-counter.ts'
import type { World } from '../world.ts'

type Bound = `${'min' | 'max'}_${string}`
interface TrackFilterAsk extends Today {
  readonly offset: number
  readonly limit: number
  readonly sortColumn?: string
  readonly sortOrderDesc?: boolean
  readonly genres?: readonly number[]
  readonly artists?: readonly number[]
  readonly shortListIds?: readonly number[]
  readonly range_period?: Period
  readonly originalsOnly?: boolean
  readonly version_only?: readonly string[]
  readonly version_and?: readonly string[]
  readonly version_or?: readonly string[]
  readonly version_not?: readonly string[]
  readonly min_release_date?: string
  readonly max_release_date?: string
  readonly [bound: Bound]: number | string | undefined
}

const SHORTLISTED = 0.01
const DAY_MS = 86_400_000

const isPeriod = (word: string): word is Period => Object.hasOwn(PERIODS, word)
const isCounter = (word: string): word is TrackCounter =>
  TRACK_COUNTERS.some((counter) => counter === word)

/** `GET /api/track/list/filter`. */
export const trackFilterRows = ({ albums, artists, dice, trackCounters, tracks }: World) => {
  const orders = createOrders()
  const released = (id: number): number => albums.released(albums.ofTrack(id))

  /** The value that a stat has in a period; undefined where there is no such stat. */
  const statOf = (stat: string, period: Period): ((id: number) => number) | undefined => {
    if (stat === 'score') return trackCounters.score
    if (stat === 'release_date' || stat === 'album.release_date')
      return (id) => released(id) * DAY_MS
    if (stat === 'rank.rank_overall') return tracks.rank
    return isCounter(stat) ? (id) => trackCounters.over(id, stat, period) : undefined
  }
  let byArtist: Map<number, number[]> | undefined
  /** Every track that credits an artist, found once for all artists. */
  const tracksOf = (artist: number): readonly number[] => {
    if (byArtist === undefined) {
      byArtist = new Map()
      for (let id = 0; id < SIZE.tracks; id++)
        for (const credited of tracks.artists(id))
          byArtist.set(credited, [...(byArtist.get(credited) ?? []), id])
    }
    return byArtist.get(artist) ?? []
  }

  /** Of `<period>.<stat>`, or of a stat alone. */
  const columnOf = (column: string): { stat: string; period: Period } => {
    const [head = '', ...rest] = column.split('.')
    return isPeriod(head)
      ? { period: head, stat: rest.join('.') }
      : { period: 'latest', stat: column }
  }

  const bounds = (ask: TrackFilterAsk) => {
    const period = ask.range_period ?? 'latest'
    return Object.entries(ask).flatMap(([name, bound]) => {
      const [, end, stat = ''] = /^(min|max)_(.+)$/.exec(name) ?? []
      const value = statOf(stat, period)
      if (end === undefined || bound === undefined || value === undefined) return []
      const limit = stat === 'release_date' ? dayOf(String(bound)) * DAY_MS : Number(bound)
      return [
        { stat, holds: (id: number) => (end === 'min' ? value(id) >= limit : value(id) <= limit) },
      ]
    })
  }

  const passes = (ask: TrackFilterAsk): ((id: number) => boolean) => {
    const ranges = bounds(ask)
    const wanted = ask.artists === undefined ? undefined : new Set(ask.artists.flatMap(tracksOf))
    const { version_only: only, version_and: and, version_or: or, version_not: not } = ask
    return (id) => {
      const versions = tracks.versions(id)
      if (ask.originalsOnly !== false && !versions.includes('original')) return false
      if (only !== undefined && !versions.every((version) => only.includes(version))) return false
      if (and !== undefined && !and.every((version) => versions.includes(version))) return false
      if (or !== undefined && !or.some((version) => versions.includes(version))) return false
      if (not?.some((version) => versions.includes(version))) return false
      if (!ranges.every(({ holds }) => holds(id))) return false
      if (wanted?.has(id) === false) return false
      if (ask.shortListIds?.every((list) => !dice.chance('track shortlist', id, SHORTLISTED, list)))
        return false
      if (ask.genres === undefined) return true
      const { primary, secondary, sub } = tracks.genres(id)
      return [primary, ...secondary, ...sub].some((genre) => ask.genres?.includes(genre.id))
    }
  }

  /** Every counter of now, and of the asked period those that the ask names. */
  const maps = (ask: TrackFilterAsk, sorted: { stat: string; period: Period }) => {
    const named = new Map<Period, Set<TrackCounter>>([['latest', new Set(TRACK_COUNTERS)]])
    const want = (stat: string, period: Period): void => {
      if (isCounter(stat)) named.set(period, (named.get(period) ?? new Set()).add(stat))
    }
    for (const { stat } of bounds(ask)) want(stat, ask.range_period ?? 'latest')
    want(sorted.stat, sorted.period)
    const asked = ask.range_period ?? 'latest'
    if (!named.has(asked)) named.set(asked, new Set())
    return (id: number) =>
      Object.fromEntries(
        [...named].map(([period, counters]) => [
          period,
          Object.fromEntries(
            [...counters].map((counter) => [counter, trackCounters.over(id, counter, period)]),
          ),
        ]),
      )
  }

  const row = (id: number, periods: (id: number) => object) => ({
    cm_track: id,
    album: tracks.albums(id).map((album) => ({
      id: album,
      label: albums.label(album),
      name: albums.name(album),
      release_date: dateOf(albums.released(album)),
      upc: albums.upc(album),
    })),
    artist: tracks.artists(id).map((artist) => ({ id: artist, name: artists.name(artist) })),
    explicit: tracks.explicit(id),
    genre: namesOf(tracks.genres(id)),
    image_url: tracks.image(id),
    isrc: tracks.isrc(id),
    name: tracks.name(id),
    score: trackCounters.score(id),
    songwriter: tracks.songwriters(id),
    moods: someOf(dice, 'track mood', id, MOODS),
    ...periods(id),
  })

  return {
    tracksByFilter(ask: TrackFilterAsk): Page {
      const column = columnOf(ask.sortColumn ?? 'score')
      const value = statOf(column.stat, column.period) ?? trackCounters.score
      const order = orders(`${column.period}.${column.stat}`, SIZE.tracks, value)
      const sorted = walk(order, ask.sortOrderDesc ?? true)
      const { positions, total } = select(sorted, passes(ask), ask.offset, ask.limit)
      const periods = maps(ask, column)
      return { rows: positions.map((id) => row(id, periods)), total }
    },
  }
}
