const DAY = 86_400_000

/** Days since 1970-01-01 of a YYYY-MM-DD text. */
export const dayOf = (text: string): number => Math.floor(Date.parse(`${text}T00:00:00Z`) / DAY)

/** YYYY-MM-DD of a day. */
export const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)

/** Midnight of a western zone, as the service stamps its days: 07:00 in summer time, 08:00 in winter. */
export const stampOf = (day: number): string => {
  const date = dateOf(day)
  const month = Number(date.slice(5, 7))
  return `${date}T${month > 3 && month < 11 ? '07' : '08'}:00:00.000Z`
}

/** A moment of a day, by its second. */
export const momentOf = (day: number, second: number): string =>
  new Date(day * DAY + second * 1000).toISOString()

/** Sunday is 0. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7
