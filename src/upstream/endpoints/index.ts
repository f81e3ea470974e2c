import type { Endpoint } from '../endpoint.ts'
import { album } from './album.ts'
import { artist } from './artist.ts'
import { artistsByStat } from './artist-stat.ts'
import { platAArtistChart } from './chart-plat-a.ts'
import { platBChart } from './chart-plat-b.ts'
import { platDTrackChart } from './chart-plat-d.ts'
import { platEChart } from './chart-plat-e.ts'
import { platFChart, platFGenres } from './chart-plat-f.ts'
import { platGChart, platGCities } from './chart-plat-g.ts'
import { platUChart } from './chart-plat-u.ts'
import { streamEstimates } from './estimate.ts'
import { artistEvents } from './event.ts'
import { festivals } from './festival.ts'
import { playlistsPlatB, playlistsPlatC } from './playlist.ts'
import { premium } from './premium.ts'
import { radioStations } from './radio.ts'
import { search } from './search.ts'
import { suggestions } from './search-suggestion.ts'
import { track } from './track.ts'
import { tracksByFilter } from './track-stat.ts'
import { venueEvents } from './venue.ts'
import { venues } from './venue-list.ts'

/** Every operation of the service that the gateway knows, by name. */
export const endpoints = {
  artist,
  track,
  album,
  artistsByStat,
  playlistsPlatB,
  playlistsPlatC,
  platAArtistChart,
  platBChart,
  platDTrackChart,
  platEChart,
  platFChart,
  platFGenres,
  platGChart,
  platGCities,
  platUChart,
  tracksByFilter,
  venues,
  venueEvents,
  festivals,
  radioStations,
  artistEvents,
  streamEstimates,
  search,
  suggestions,
  ...premium,
} as const satisfies Readonly<Record<string, Endpoint>>
