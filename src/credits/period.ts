/** Spans of a budget; both begin at midnight UTC. */
export type Period = 'DAY' | 'MONTH'

/** The moment at which the span begins that a moment lies in. */
export const spanStart = (period: Period, now: number): number => {
  const date = new Date(now)
  const day = period === 'DAY' ? date.getUTCDate() : 1
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)
}

/** The moment at which the next span begins. */
export const nextSpan = (period: Period, now: number): number => {
  const date = new Date(now)
  const day = period === 'DAY' ? date.getUTCDate() + 1 : 1
  const month = date.getUTCMonth() + (period === 'MONTH' ? 1 : 0)
  return Date.UTC(date.getUTCFullYear(), month, day)
}
