import type { Page } from './page.ts'
import { albumRows } from './rows/album.ts'
import { artistRows } from './rows/artist.ts'
import { artistStatRows } from './rows/artist-stat.ts'
import { chartRows } from './rows/chart.ts'
import { estimateRows } from './rows/estimate.ts'
import { eventRows } from './rows/event.ts'
import { festivalRows } from './rows/festival.ts'
import { playlistRows } from './rows/playlist.ts'
import { premiumRows } from './rows/premium.ts'
import { radioRows } from './rows/radio.ts'
import { searchRows } from './rows/search.ts'
import { trackRows } from './rows/track.ts'
import { trackFilterRows } from './rows/track-filter.ts'
import { venueRows } from './rows/venue.ts'
import type { World } from './world.ts'

/** What an endpoint gives for arguments that were checked: an object, a page, or undefined for a 404. */
export type Source = (ask: never) => Page | object | undefined

/** Every endpoint's source, by its name in the registry. */
export const createSources = (world: World) =>
  ({
    ...albumRows(world),
    ...artistRows(world),
    ...artistStatRows(world),
    ...chartRows(world),
    ...estimateRows(world),
    ...eventRows(world),
    ...festivalRows(world),
    ...playlistRows(world),
    ...premiumRows(world),
    ...radioRows(world),
    ...searchRows(world),
    ...trackRows(world),
    ...trackFilterRows(world),
    ...venueRows(world),
  }) satisfies Record<string, Source>

export const isPage = (given: Page | object): given is Page => 'rows' in given && 'total' in given
