const DAY = /^\d{4}-\d{2}-\d{2}/
const SHORTEST_MONTH = 28

const isDay = (year: number, month: number, date: number): boolean => {
  const moment = new Date(Date.UTC(year, month - 1, date))
  return moment.getUTCMonth() === month - 1 && moment.getUTCDate() === date
}

/** The day that a text begins with, as written and never shifted by a zone; undefined for a day that no calendar has. */
export const leadingDay = (text: string): string | undefined => {
  if (!DAY.test(text)) return undefined
  const day = text.length === 10 ? text : text.slice(0, 10)
  const month = Number(day.slice(5, 7))
  const date = Number(day.slice(8))
  const isShort = date >= 1 && date <= SHORTEST_MONTH && month >= 1 && month <= 12
  return isShort || isDay(Number(day.slice(0, 4)), month, date) ? day : undefined
}

/** Durations in milliseconds. */
export const seconds = (n: number): number => n * 1000
export const minutes = (n: number): number => seconds(n * 60)
export const hours = (n: number): number => minutes(n * 60)
export const days = (n: number): number => hours(n * 24)
