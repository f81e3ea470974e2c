/** Spans of a budget; both begin at midnight UTC. */
export type Period = 'DAY' | 'MONTH'

/** Names the span that a moment lies in: 2026-11-28, or 2026-11. */
export const spanOf = (period: Period, now: number): string =>
  new Date(now).toISOString().slice(0, period === 'DAY' ? 10 : 7)

/** The moment at which the next span begins. */
export const nextSpan = (period: Period, now: number): number => {
  const date = new Date(now)
  const day = period === 'DAY' ? date.getUTCDate() + 1 : 1
  const month = date.getUTCMonth() + (period === 'MONTH' ? 1 : 0)
  return Date.UTC(date.getUTCFullYear(), month, day)
}

/** The moment at which the present span began. */
export const spanStart = (period: Period, now: number): number => {
  const date = new Date(now)
  const day = period === 'DAY' ? date.getUTCDate() : 1
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)
}
