const whole = new Intl.NumberFormat('en')
const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false })
const moment = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hour12: false,
})

export const count = (figure: number): string => whole.format(figure)
export const percent = (part: number, all: number): string =>
  all === 0 ? 'none yet' : share.format(part / all)
export const clock = (at: string | number): string => time.format(new Date(at))
export const when = (at: string): string => moment.format(new Date(at))
