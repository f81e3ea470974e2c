import { describe } from 'vitest'
import { type ListingCase, pagingContract } from './paging.contract.ts'

const WIDE = [100, 1000, 10_000]

const listings: Record<string, ListingCase> = {
  artistsByStat: {
    query: '{ artistsByStat(stat: PLAT_A_FOLLOWERS, min: 0, max: 1000000000, PAGE }',
    path: 'artistsByStat',
    id: 'artist { cmId }',
    widths: [200],
    end: 'short',
  },
  'playlists of platB': {
    query: '{ playlists(platform: PLAT_B, PAGE }',
    path: 'playlists',
    id: 'cmId',
    widths: WIDE,
    end: 'total',
  },
  'playlists of platC': {
    query: '{ playlists(platform: PLAT_C, filter: { editorialOnly: false }, PAGE }',
    path: 'playlists',
    id: 'cmId',
    widths: WIDE,
    end: 'total',
  },
  tracksByStat: {
    query: '{ tracksByStat(filter: { originalsOnly: false }, PAGE }',
    path: 'tracksByStat',
    id: 'track { cmId }',
    widths: WIDE,
    end: 'total',
  },
  'tracks of an artist': {
    query: '{ artist(cmId: 5) { tracks(PAGE } }',
    path: 'artist.tracks',
    id: 'track { cmId }',
    widths: WIDE,
    end: 'total',
  },
  venues: {
    query: '{ venues(PAGE }',
    path: 'venues',
    id: 'venue { cmId }',
    widths: [100],
    end: 'total',
  },
  festivals: {
    query: '{ festivals(PAGE }',
    path: 'festivals',
    id: 'cmId',
    widths: [100],
    end: 'short',
  },
  radioStations: {
    query: '{ radioStations(PAGE }',
    path: 'radioStations',
    id: 'cmId',
    widths: [],
    end: 'whole',
  },
  'events of an artist': {
    query: '{ artist(cmId: 5) { events(status: PAST, fromDaysAgo: 3650, toDaysAgo: 0, PAGE } }',
    path: 'artist.events',
    id: 'cmId',
    widths: [100],
    end: 'short',
  },
  'events of a venue': {
    query: '{ venue(cmId: "5") { events(PAGE } }',
    path: 'venue.events',
    id: 'cmId',
    widths: [100],
    end: 'short',
  },
  'artists found by search': {
    query: '{ search(query: "the") { artists(PAGE } }',
    path: 'search.artists',
    id: 'cmId',
    widths: [100],
    end: 'short',
  },
  suggestions: {
    query: '{ suggestions(query: "the", PAGE }',
    path: 'suggestions',
    id: 'target matchStrength additionalFields',
    widths: [100],
    end: 'short',
  },
  'platU chart': {
    query: '{ charts { platU(PAGE } }',
    path: 'charts.platU',
    id: 'rank rowId',
    widths: [],
    end: 'whole',
  },
  'platB chart': {
    query: '{ charts { platB(countryCode: "GB", PAGE } }',
    path: 'charts.platB',
    id: 'rank rowId',
    widths: [],
    end: 'whole',
  },
  'platA artist chart': {
    query: '{ charts { platAArtists(interval: DAILY, type: FOLLOWERS, PAGE } }',
    path: 'charts.platAArtists',
    id: 'rank artist { cmId }',
    widths: [],
    end: 'empty',
  },
  'platD track chart': {
    query: '{ charts { platDTracks(PAGE } }',
    path: 'charts.platDTracks',
    id: 'rank rowId',
    widths: [100],
    end: 'empty',
  },
  'platE chart': {
    query: '{ charts { platE(countryCode: "GLOBAL", kind: TOP, genre: "latin", PAGE } }',
    path: 'charts.platE',
    id: 'rank rowId',
    widths: [],
    end: 'empty',
  },
  'platF chart': {
    query: '{ charts { platF(genre: "techno", PAGE } }',
    path: 'charts.platF',
    id: 'rank rowId',
    widths: [],
    end: 'empty',
  },
  'platG chart': {
    query: '{ charts { platG(countryCode: "US", PAGE } }',
    path: 'charts.platG',
    id: 'rank rowId',
    widths: [],
    end: 'empty',
  },
}

for (const [name, listing] of Object.entries(listings))
  describe(name, () => pagingContract(listing))
