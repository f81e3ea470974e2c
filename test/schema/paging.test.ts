import { getNamedType, isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../src/schema/index.ts'
import { type ListingCase, pagingContract } from './paging.contract.ts'

const WIDE = [100, 1000, 10_000]

const found = (bucket: string, id: string, text = 'a'): ListingCase => ({
  query: `{ search(query: "${text}") { ${bucket} } }`,
  path: `search.${bucket.replace(/\(.*/, '')}`,
  id,
  widths: [100],
  end: 'short',
})

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
  'artists found by search': found('artists(PAGE', 'cmId', 'the'),
  'tracks found by search': found('tracks(PAGE', 'cmId'),
  'albums found by search': found('albums(PAGE', 'cmId'),
  'playlists found by search': found('playlists(platform: PLAT_I, PAGE', 'cmId'),
  'curators found by search': found('curators(platform: PLAT_J, PAGE', 'cmId'),
  'cities found by search': found('cities(PAGE', 'cmId'),
  'songwriters found by search': found('songwriters(PAGE', 'cmId'),
  'stations found by search': found('stations(PAGE', ''),
  'labels found by search': found('labels(PAGE', ''),
  'countries found by search': found('countries(PAGE', ''),
  'genres found by search': found('genres(PAGE', ''),
  'festivals found by search': found('festivals(PAGE', ''),
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

/** The connections that a query reads, as `Type.field`. */
const connectionsOf = ({ query, id }: ListingCase): string[] => {
  const info = new TypeInfo(schema)
  const read: string[] = []
  const text = query.replace('PAGE', `first: 1) { nodes ${id && `{ ${id} }`} }`)
  visit(
    parse(text),
    visitWithTypeInfo(info, {
      Field({ name }) {
        if (`${getNamedType(info.getType())}`.endsWith('Connection'))
          read.push(`${info.getParentType()}.${name.value}`)
      },
    }),
  )
  return read
}

test('no connection of the schema is left out', () => {
  const all = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => `${getNamedType(field.type)}`.endsWith('Connection'))
        .map((field) => `${type}.${field.name}`),
    )
  expect(all.length).toBeGreaterThan(20)
  const walked = new Set(Object.values(listings).flatMap(connectionsOf))
  expect([...walked].sort()).toEqual(all.sort())
})

for (const [name, listing] of Object.entries(listings))
  describe(name, () => pagingContract(listing))
