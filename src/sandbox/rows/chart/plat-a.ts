import type { Page } from '../../page.ts'
import { artistScore } from '../../world/audience.ts'
import { dateOf, stampOf } from '../../world/day.ts'
import { namesOf } from '../../world/genre.ts'
import { outsideId } from '../../world/outside.ts'
import type { World } from '../../world.ts'
import { type ChartAsk, daily, EMPTY } from './edition.ts'

type Type = 'monthly_listeners' | 'popularity' | 'followers' | 'playlist_count' | 'playlist_reach'
interface PlatAAsk extends ChartAsk {
  readonly interval: 'daily' | 'weekly' | 'monthly'
  readonly type: Type
  readonly offset: number
}

const ROWS = 500
const PAGE = 100
const COMPETING = 560
/** Values sway and come back after so many days, so the whole past is known from one round. */
const ROUND = 28
const HISTORY = 7

/** `GET /api/charts/platA/artists`: an edition a day whatever the interval, empty where there is none. */
export const platARows = ({ artistCounter, artists, dice, ...world }: World) => {
  const reach = (id: number): number =>
    Math.floor(6e9 * artists.rank(id) ** -0.7 * (0.5 + dice.roll('artist reach', id)))
  const base: Record<Type, (id: number) => number> = {
    monthly_listeners: (id) => artistCounter(id, 'sp_monthly_listeners') ?? 0,
    popularity: (id) => 1 / artists.rank(id),
    followers: (id) => artistCounter(id, 'sp_followers') ?? 0,
    playlist_count: (id) => reach(id) / (3_000 + dice.int('artist playlists', id, 0, 3_000)),
    playlist_reach: reach,
  }
  const boards = new Map<string, { ids: number[]; ranks: Map<number, number> }[]>()

  /** The standings of a whole round, worked out once for each of the fifteen charts. */
  const round = ({ interval, type }: PlatAAsk) => {
    const key = `platA ${type} ${interval}`
    const held = boards.get(key)
    if (held !== undefined) return held
    const competing = Array.from({ length: 6_000 }, (_, i) => i + 2)
      .map((id) => ({ id, value: base[type](id) }))
      .toSorted((a, b) => b.value - a.value || a.id - b.id)
      .slice(0, COMPETING)
    const made = Array.from({ length: ROUND }, (_, phase) => {
      const ids = competing
        .map(({ id, value }) => ({ id, value: value * (1 + 0.05 * dice.roll(key, id, phase)) }))
        .sort((a, b) => b.value - a.value || a.id - b.id)
        .slice(0, ROWS)
        .map(({ id }) => id)
      return { ids, ranks: new Map(ids.map((id, i) => [id, i + 1])) }
    })
    boards.set(key, made)
    return made
  }

  return {
    platAArtistChart(ask: PlatAAsk): Page {
      const edition = daily.edition(ask)
      if (edition === undefined) return EMPTY
      const standings = round(ask)
      const rankAt = (id: number, past: number): number | undefined =>
        past < 0 ? undefined : standings[past % ROUND]?.ranks.get(id)

      const row = (id: number) => {
        const rank = rankAt(id, edition) ?? 0
        const before = rankAt(id, edition - 1)
        const rounds = Math.min(ROUND, edition + 1)
        const lately = Array.from({ length: rounds }, (_, i) => edition - i)
        const peak = lately.reduce(
          (best, past) => {
            const there = rankAt(id, past) ?? Number.POSITIVE_INFINITY
            return there < best.rank ? { rank: there, past } : best
          },
          { rank, past: edition },
        )
        const off = lately.findIndex((past) => rankAt(id, past) === undefined)
        const onChart = (phases: number): number =>
          standings.slice(0, phases).filter(({ ranks }) => ranks.has(id)).length
        const fullRounds = Math.floor((edition + 1) / ROUND)
        const { primary } = artists.genres(id)
        const city = artists.city(id)
        return {
          id,
          name: artists.name(id),
          image_url: artists.image(id),
          isni: artists.isni(id),
          code2: artists.code2(id),
          hometown_city: dice.chance('artist hometown', id, 0.8) ? city.name : null,
          current_city: dice.chance('artist current', id, 0.6) ? city.name : null,
          sp_followers: artistCounter(id, 'sp_followers'),
          sp_popularity: artistCounter(id, 'sp_popularity'),
          sp_monthly_listeners: artistCounter(id, 'sp_monthly_listeners'),
          platB_fans: artistCounter(id, 'platB_fans'),
          tags: namesOf({ primary, secondary: [], sub: [] }),
          platA_artist_ids: [outsideId.platA('artist', id)],
          platH_artist_ids: [String(outsideId.platH('artist', id))],
          platB_artist_ids: [String(outsideId.platB('artist', id))],
          platC_artist_ids: dice.chance('artist platC', id, 0.3)
            ? null
            : [outsideId.platC('artist', id)],
          cm_artist_rank: artists.rank(id),
          cm_artist_score: artistScore({ artistCounter, artists, dice, ...world }, id),
          timestp: stampOf(daily.day(edition)),
          monthly_playlist_reach: reach(id),
          rank,
          change: before === undefined ? null : String(before - rank),
          streak: off === -1 ? edition + 1 : off,
          peak_date: dateOf(daily.day(peak.past)),
          peak_rank: peak.rank,
          time_on_chart: fullRounds * onChart(ROUND) + onChart((edition + 1) % ROUND),
          rankStats: lately
            .slice(0, HISTORY)
            .reverse()
            .flatMap((past) => {
              const there = rankAt(id, past)
              return there === undefined
                ? []
                : [{ date: dateOf(daily.day(past)), rank: String(there) }]
            }),
        }
      }
      const ids = standings[edition % ROUND]?.ids ?? []
      return { rows: ids.slice(ask.offset, ask.offset + PAGE).map(row), total: ids.length }
    },
  }
}
