import { readFileSync } from 'node:fs'

type Row = Readonly<Record<string, unknown>>

/** What stands under `obj` in the plain case of a fixture. */
const plain = <T>(name: string): T => {
  const text = readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8')
  const { cases } = JSON.parse(text)
  return cases.find((one: { readonly name: string }) => one.name === 'base').response.body.obj
}

/** Rows as the service sends them, one of a kind; a test says what is other about its own. */
export const [FESTIVAL = {}] = plain<readonly Row[]>('festival-list')
export const [RADIO_STATION = {}] = plain<readonly Row[]>('radio-stations')
export const [LIVE_EVENT = {}] = plain<readonly Row[]>('artist-events')

const venue = plain<{ readonly venueInfo: readonly Row[]; readonly events: readonly Row[] }>(
  'venue-events',
)
export const [VENUE_INFO = {}] = venue.venueInfo
export const [VENUE_EVENT = {}] = venue.events

export const [VENUE_ROW = {}] = plain<{ readonly data: readonly Row[] }>('venue-list').data
