import { row } from '../decode.ts'
import { bool, id, moment, named, text, url } from '../values.ts'
import { creditedArtist } from './artist.ts'

const lineupEntry = row({
  artist: ['', creditedArtist],
  name: ['name', text],
  isHeadliner: ['is_headliner', bool],
} as const)
export type LineupEntry = NonNullable<ReturnType<typeof lineupEntry>>

/** An event at a venue; which venue, only the request says. */
export const venueEvent = row(
  {
    cmId: ['event_id', id],
    name: ['event_name', text],
    imageUrl: ['event_image_url', url],
    startDate: ['start_date', moment],
    endDate: ['end_date', moment],
    lineup: ['artists', named(lineupEntry)],
  } as const,
  'cmId',
)
export type VenueEventRow = NonNullable<ReturnType<typeof venueEvent>>
