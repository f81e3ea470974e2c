import { type Page, pageOf, type Today } from '../page.ts'
import { dateOf, dayOf } from '../world/day.ts'
import { genresOf } from '../world/genre.ts'
import { SIZE } from '../world/size.ts'
import { ADJECTIVES, NOUNS } from '../world/words.ts'
import type { World } from '../world.ts'

type Column =
  | 'rank'
  | 'score'
  | 'festivalName'
  | 'startDate'
  | 'numberOfDays'
  | 'eventSize'
  | 'totalEditions'
interface FestivalAsk extends Today {
  readonly code2s?: readonly string[]
  readonly genreIds?: readonly number[]
  readonly eventSizes?: readonly Size[]
  readonly name?: string
  readonly sortColumn?: Column
  readonly sortOrderDesc?: boolean
  readonly offset: number
  readonly limit: number
}

/** Sizes by the word of the query, with the label that a row shows. */
const SIZES = {
  small: 'Small (under 5,000)',
  medium: 'Medium (5,000-20,000)',
  large: 'Large (20,000-50,000)',
  mega: 'Mega (over 50,000)',
} as const
type Size = keyof typeof SIZES
const SIZE_WORDS = Object.keys(SIZES) as Size[]
const KINDS = ['Festival', 'Weekender', 'Open Air', 'Fest', 'Days'] as const

/** `GET /api/festival/list`; a festival has one edition in the calendar year of today. */
export const festivalRows = ({ cities, dice }: World) => {
  const festivals = Array.from({ length: SIZE.festivals }, (_, i) => {
    const id = i + 1
    const size = dice.int('festival size', id, 0, 3)
    const editions = dice.int('festival editions', id, 1, 40)
    const { primary, secondary } = genresOf(dice, 'festival genre', id)
    return {
      id,
      name: `${dice.pick('festival adjective', id, ADJECTIVES)} ${dice.pick('festival noun', id, NOUNS)} ${dice.pick('festival kind', id, KINDS)}`,
      day: dice.int('festival day', id, 0, 360),
      hour: dice.int('festival hour', id, 0, 1) * 14,
      length: dice.int('festival length', id, 1, 5),
      city: cities.draw('festival city', id),
      size,
      performers: dice.int('festival performers', id, 8, 60) * (size + 1),
      editions,
      genres: [primary, ...secondary],
      rank: 1 + ((id * 7 + 3) % SIZE.festivals),
    }
  })
  type Festival = (typeof festivals)[number]

  const columns: Record<Column, (festival: Festival) => number | string> = {
    rank: (festival) => festival.rank,
    score: (festival) => -festival.rank,
    festivalName: (festival) => festival.name,
    startDate: (festival) => festival.day,
    numberOfDays: (festival) => festival.length,
    eventSize: (festival) => festival.size,
    totalEditions: (festival) => festival.editions,
  }
  const link = (platform: string, id: number): string | null =>
    dice.chance(`festival ${platform}`, id, 0.6)
      ? `https://${platform.toLowerCase()}.example.invalid/festival/${id}`
      : null

  const row = (year: number) => (festival: Festival) => ({
    id: festival.id,
    name: festival.name,
    date: `${dateOf(year + festival.day)} ${String(festival.hour).padStart(2, '0')}:00:00`,
    numberOfDays: festival.length,
    city: festival.city.name,
    country: festival.city.code2,
    performersCount: festival.performers,
    popularityRank: festival.rank,
    eventSize: SIZES[SIZE_WORDS[festival.size] ?? 'small'],
    topGenres: festival.genres.map(({ id, name }) => ({ id, name })),
    links: {
      platQ: link('platQ', festival.id),
      platR: link('platR', festival.id),
      platS: link('platS', festival.id),
    },
  })

  return {
    festivals(ask: FestivalAsk): Page {
      const words = ask.name?.toLowerCase()
      const value = columns[ask.sortColumn ?? 'startDate']
      const direction = ask.sortOrderDesc === true ? -1 : 1
      const found = festivals
        .filter(
          ({ city, genres, name, size }) =>
            (ask.code2s?.includes(city.code2) ?? true) &&
            (ask.genreIds?.some((wanted) => genres.some((genre) => genre.id === wanted)) ?? true) &&
            (ask.eventSizes?.includes(SIZE_WORDS[size] ?? 'small') ?? true) &&
            (words === undefined || name.toLowerCase().includes(words)),
        )
        .toSorted((a, b) => {
          const [x, y] = [value(a), value(b)]
          return (x < y ? -direction : x > y ? direction : 0) || a.id - b.id
        })
      const year = dayOf(`${ask.today.slice(0, 4)}-01-01`)
      return pageOf(found, ask.offset, ask.limit, row(year))
    },
  }
}
