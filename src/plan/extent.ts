import { LIKELY_IN_A_ROW, MOST_IN_A_ROW } from '../schema/spends.ts'

/** How many things there may be that only answers show. */
export interface Extent {
  readonly most: number
  /** How many are likely, before anything was seen. */
  readonly likely: number
  /** Answers that bring them: what comes with several cannot be asked about in one request. */
  readonly arrivals: number
  /** False where a list within a row is among them: nobody says how long those are, and `most` is a guess. */
  readonly isBounded: boolean
}

export const ONE: Extent = { most: 1, likely: 1, arrivals: 1, isBounded: true }

/** So many for each of them. */
export const times = ({ most, likely, arrivals, isBounded }: Extent, count: number): Extent => ({
  most: most * count,
  likely: likely * count,
  arrivals,
  isBounded,
})

/** What lists within rows hold, of so many rows. */
export const inRows = ({ most, likely, arrivals }: Extent): Extent => ({
  most: most * MOST_IN_A_ROW,
  likely: likely * LIKELY_IN_A_ROW,
  arrivals,
  isBounded: false,
})
