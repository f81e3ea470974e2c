const DAY = /^(\d{4})-(\d{2})-(\d{2})/

/** The day that a text begins with, as written and never shifted by a zone; undefined for a day that no calendar has. */
export const leadingDay = (text: string): string | undefined => {
  const match = DAY.exec(text)
  if (match === null) return undefined
  const [day, year, month, date] = match
  const moment = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  return moment.getUTCMonth() === Number(month) - 1 && moment.getUTCDate() === Number(date)
    ? day
    : undefined
}

/** Durations in milliseconds. */
export const seconds = (n: number): number => n * 1000
export const minutes = (n: number): number => seconds(n * 60)
export const hours = (n: number): number => minutes(n * 60)
export const days = (n: number): number => hours(n * 24)
