const whole = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact' })

type Figure = number | string | null | undefined

/** Null means that the service does not know, which is not 0. */
export const count = (figure: Figure): string =>
  figure === null || figure === undefined ? 'unknown' : whole.format(Number(figure))

export const brief = (figure: number): string => short.format(figure)

const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

export const day = (date: string | null | undefined): string =>
  date ? days.format(new Date(date)) : 'on an unknown day'
