import type { Page, Today } from '../page.ts'
import { dayOf, momentOf } from '../world/day.ts'
import { commaList, namesOf } from '../world/genre.ts'
import { createOrders, select, walk } from '../world/order.ts'
import { SIZE } from '../world/size.ts'
import type { World } from '../world.ts'

interface PlaylistAsk extends Today {
  readonly offset: number
  readonly limit: number
  readonly sortColumn?: Column
  readonly sortOrderDesc?: boolean
  readonly tagIds?: readonly number[]
  readonly code2?: string
  readonly editorial?: boolean
  readonly topPlaylist?: boolean
  readonly descriptionSearch?: string
  readonly userListIds?: readonly number[]
  readonly curatorIds?: readonly string[]
  readonly excludedCuratorListIds?: readonly string[]
  readonly indie?: boolean
  readonly majorCurator?: boolean
}
type Column =
  | 'active_ratio'
  | 'last_updated'
  | 'num_track'
  | 'rank'
  | 'followers'
  | 'fdiff_week'
  | 'fdiff_month'
  | 'fdiff_percent_week'
  | 'fdiff_percent_month'

const CATALOGS = ['frontline', 'catalog', 'mixed'] as const
/** The share of playlists that any one shortlist holds. */
const SHORTLISTED = 0.01

/** Names of the draws of a platform's playlists, put together once because a listing draws for every playlist. */
const draws = (noun: string) => ({
  active: `${noun} active`,
  age: `${noun} age`,
  catalog: `${noun} catalog`,
  code2: `${noun} code2`,
  followers: `${noun} followers`,
  growth: `${noun} growth`,
  indie: `${noun} indie`,
  major: `${noun} major`,
  personalized: `${noun} personalized`,
  shortlist: `${noun} shortlist`,
  tracks: `${noun} tracks`,
  updated: `${noun} updated`,
})

const createListing = (world: World, platform: 'platB' | 'platC') => {
  const { cities, curators, dice } = world
  const playlists = world.playlists[platform]
  const noun = `${platform} playlist`
  const on = draws(noun)
  const orders = createOrders()

  const followers = (position: number): number =>
    Math.floor(9e9 * playlists.rank(position) ** -1.3 * (0.5 + dice.roll(on.followers, position)))
  const growth = (position: number, weeks: number): number =>
    (dice.roll(on.growth, position, weeks) - 0.4) * 0.03 * weeks
  const change = (position: number, weeks: number): number =>
    Math.round(followers(position) * growth(position, weeks))
  const code2 = (position: number): string | null =>
    dice.chance(on.code2, position, 0.3) ? null : cities.draw(on.code2, position, 1).code2

  const values: Record<Column, (position: number) => number> = {
    active_ratio: (position) => Math.round(1000 * dice.roll(on.active, position)) / 1000,
    last_updated: (position) => -dice.int(on.age, position, 0, 400),
    num_track: (position) => dice.int(on.tracks, position, 10, 400),
    rank: (position) => -playlists.rank(position),
    followers,
    fdiff_week: (position) => change(position, 1),
    fdiff_month: (position) => change(position, 4),
    fdiff_percent_week: (position) => Math.round(1e4 * growth(position, 1)) / 100,
    fdiff_percent_month: (position) => Math.round(1e4 * growth(position, 4)) / 100,
  }

  const row = (position: number, place: number, today: number) => {
    const owner = playlists.owner(position)
    return {
      position: place + 1,
      id: playlists.id(position),
      code2: code2(position),
      playlist_id: playlists.platformId(position),
      name: playlists.name(position),
      image_url: playlists.image(position),
      personalized: dice.chance(on.personalized, position, 0.05),
      followers: followers(position),
      last_updated: momentOf(
        today + values.last_updated(position),
        dice.int(on.updated, position, 0, 60_000),
      ),
      owner_name: curators.name(platform, owner),
      owner_id: owner,
      user_id: `u_${owner}`,
      editorial: curators.isEditorial(owner),
      fdiff_week: change(position, 1),
      fdiff_month: change(position, 4),
      fdiff_percent_week: values.fdiff_percent_week(position),
      fdiff_percent_month: values.fdiff_percent_month(position),
      catalog: dice.pick(on.catalog, position, CATALOGS),
      active_ratio: values.active_ratio(position),
      genre: commaList(dice, noun, position, namesOf(playlists.genres(position))),
    }
  }

  const inShortlist = (position: number, list: number): boolean =>
    dice.chance(on.shortlist, position, SHORTLISTED, list)
  const inGenres = (position: number, tags: readonly number[]): boolean => {
    const { primary, secondary, sub } = playlists.genres(position)
    return [primary, ...secondary, ...sub].some((genre) => tags.includes(genre.id))
  }

  const passes = (ask: PlaylistAsk) => {
    const words = ask.descriptionSearch?.toLowerCase()
    return (position: number): boolean => {
      const owner = playlists.owner(position)
      if (ask.editorial !== false && !curators.isEditorial(owner)) return false
      if (ask.topPlaylist === true && playlists.rank(position) > SIZE.playlists / 10) return false
      if (ask.code2 !== undefined && code2(position) !== ask.code2) return false
      if (ask.tagIds !== undefined && !inGenres(position, ask.tagIds)) return false
      if (ask.userListIds?.every((list) => !inShortlist(position, list))) return false
      if (ask.curatorIds?.includes(`u_${owner}`) === false) return false
      if (ask.excludedCuratorListIds?.includes(`u_${owner}`)) return false
      if (ask.indie !== undefined && dice.chance(on.indie, owner, 0.3) !== ask.indie) return false
      if (ask.majorCurator === true && !dice.chance(on.major, owner, 0.2)) return false
      return words === undefined || playlists.description(position).toLowerCase().includes(words)
    }
  }

  return (ask: PlaylistAsk): Page => {
    const { offset, limit } = ask
    const column = ask.sortColumn ?? (platform === 'platB' ? 'followers' : 'rank')
    const order = orders(column, SIZE.playlists, values[column])
    const sorted = walk(order, ask.sortOrderDesc ?? true)
    const { positions, total } = select(sorted, passes(ask), offset, limit)
    const today = dayOf(ask.today)
    return { rows: positions.map((position, i) => row(position, offset + i, today)), total }
  }
}

/** `GET /api/playlist/platB/lists` and `GET /api/playlist/platC/lists`. */
export const playlistRows = (world: World) => ({
  playlistsPlatB: createListing(world, 'platB'),
  playlistsPlatC: createListing(world, 'platC'),
})
