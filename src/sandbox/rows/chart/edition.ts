import type { Page, Today } from '../../page.ts'
import { dayOf, weekdayOf } from '../../world/day.ts'

export interface ChartAsk extends Today {
  readonly date?: string
  readonly latest?: boolean
}

/** Charts exist from this day to yesterday. */
const FIRST_DAY = dayOf('2020-01-01')
const FRIDAY = 5
const FIRST_FRIDAY = dayOf('2020-01-03')

/** How a chart is published. */
export interface Publication {
  /** The number of the edition asked for; undefined where there is none. */
  edition(ask: ChartAsk): number | undefined
  day(edition: number): number
}

export const daily: Publication = {
  edition(ask) {
    const yesterday = dayOf(ask.today) - 1
    const day = ask.latest === true ? yesterday : dayOf(ask.date ?? '')
    return day >= FIRST_DAY && day <= yesterday ? day - FIRST_DAY : undefined
  },
  day: (edition) => FIRST_DAY + edition,
}

/** Fridays only. */
export const weekly: Publication = {
  edition(ask) {
    const yesterday = dayOf(ask.today) - 1
    const lastFriday = yesterday - ((weekdayOf(yesterday) - FRIDAY + 7) % 7)
    const day = ask.latest === true ? lastFriday : dayOf(ask.date ?? '')
    return day >= FIRST_FRIDAY && day <= yesterday && weekdayOf(day) === FRIDAY
      ? (day - FIRST_FRIDAY) / 7
      : undefined
  },
  day: (edition) => FIRST_FRIDAY + edition * 7,
}

/** What a chart without such an edition answers: some say 404, some give no rows. */
export const EMPTY: Page = { rows: [], total: 0 }
