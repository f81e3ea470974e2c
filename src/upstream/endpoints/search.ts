import { minutes } from '../calendar.ts'
import { deep, part, type Reader, row } from '../decode.ts'
import { resource } from '../endpoint.ts'
import { isObject, object } from '../envelopes.ts'
import { bool as boolParam, int as intParam, oneOf, query, text as textParam } from '../params.ts'
import type { Rows } from '../rows.ts'
import { column, count, float, id, json, key, text, url } from '../values.ts'
import type { View } from '../window.ts'
import { foundAlbum } from './album.ts'
import { city } from './city.ts'
import { ofAlbums, ofArtists, ofTracks } from './taught.ts'
import { foundTrack } from './track.ts'

export const SEARCH_KIND = {
  ALL: 'all',
  ARTISTS: 'artists',
  TRACKS: 'tracks',
  PLAYLISTS: 'playlists',
  CURATORS: 'curators',
  ALBUMS: 'albums',
  STATIONS: 'stations',
  CITIES: 'cities',
  SONGWRITERS: 'songwriters',
} as const

export const SEARCH_CURATOR_PLATFORM = {
  PLAT_A: 'platA',
  PLAT_B: 'platB',
  PLAT_C: 'platC',
  PLAT_I: 'platI',
  PLAT_J: 'platJ',
} as const
type CuratorPlatform = (typeof SEARCH_CURATOR_PLATFORM)[keyof typeof SEARCH_CURATOR_PLATFORM]

export const SEARCH_PLAYLIST_PLATFORM = { ...SEARCH_CURATOR_PLATFORM, PLAT_E: 'platE' } as const
type PlaylistPlatform = (typeof SEARCH_PLAYLIST_PLATFORM)[keyof typeof SEARCH_PLAYLIST_PLATFORM]

/** An artist found by search. */
export const foundArtist = part(
  {
    cmId: ['id', id],
    name: ['name', text],
    imageUrl: ['image_url', url],
    isni: ['isni', text],
    score: ['cm_artist_score', float],
    platAFollowers: ['sp_followers', count],
    platAMonthlyListeners: ['sp_monthly_listeners', count],
  } as const,
  'cmId',
)
/** An artist found by search, with the counters that only this row tells. */
export type FoundArtist = NonNullable<ReturnType<typeof foundArtist>>

const foundPlaylist = (platform: PlaylistPlatform) =>
  row(
    {
      platform: ['', () => platform],
      cmId: ['id', key],
      name: ['name', text],
      imageUrl: ['image_url', url],
      ownerName: ['owner_name', text],
    } as const,
    'cmId',
  )
export type PlaylistSearchRow = NonNullable<ReturnType<ReturnType<typeof foundPlaylist>>>

const curator = (platform: CuratorPlatform) =>
  row(
    {
      platform: ['', () => platform],
      cmId: ['id', id],
      name: ['name', text],
      imageUrl: ['image_url', url],
    } as const,
    'cmId',
  )
export type CuratorRow = NonNullable<ReturnType<ReturnType<typeof curator>>>

const songwriter = row(
  {
    cmId: ['doc_id', id],
    name: ['name', text],
    artistName: ['artistName', text],
    imageUrl: ['image_url', url],
  } as const,
  'cmId',
)
export type SongwriterRow = NonNullable<ReturnType<typeof songwriter>>

/** Rows that the service keys by platform. */
const keyed = <P extends string, T>(
  platforms: Readonly<Record<string, P>>,
  rowOf: (platform: P) => Reader<T>,
): Reader<Partial<Record<P, (T | null)[]>> | null> => {
  const readers = Object.values(platforms).map(
    (platform) => [platform, column(rowOf(platform))] as const,
  )
  return deep((value, reading) => {
    if (!isObject(value)) return value === null ? null : undefined
    const found: Partial<Record<P, (T | null)[]>> = {}
    for (const [platform, read] of readers)
      found[platform] = read(value[platform] ?? null, reading) ?? []
    return found
  })
}

const buckets = {
  artists: ['artists', column(foundArtist)],
  tracks: ['tracks', column(foundTrack)],
  albums: ['albums', column(foundAlbum)],
  playlists: ['playlists', keyed(SEARCH_PLAYLIST_PLATFORM, foundPlaylist)],
  curators: ['curators', keyed(SEARCH_CURATOR_PLATFORM, curator)],
  cities: ['cities', column(city)],
  songwriters: ['songwriters', column(songwriter)],
  stations: ['stations', column(json)],
  labels: ['labels', column(json)],
  countries: ['countries', column(json)],
  genres: ['genres', column(json)],
  festivals: ['festivals', column(json)],
} as const
const found = row(buckets)

/** What was found, by kind. */
type Found = NonNullable<ReturnType<typeof found>>
const kinds = Object.keys(buckets)

/** Whether a bucket has nothing, under any platform: a search without results is kept as briefly as any absence. */
const isNone = (bucket: unknown): boolean =>
  bucket === null ||
  (Array.isArray(bucket) && bucket.length === 0) ||
  (isObject(bucket) && Object.values(bucket).every(isNone))

/** What both engines are asked with. */
export const searchParams = {
  query: query('q', textParam(1, 100), { required: true }),
  kind: query('type', oneOf(SEARCH_KIND), { initial: SEARCH_KIND.ALL }),
  triggerCitiesOnly: query('triggerCitiesOnly', boolParam),
  offset: query('offset', intParam(0)),
  limit: query('limit', intParam(1, 100)),
}

export const search = resource({
  name: 'search',
  doc: 'Artists, tracks, albums and more by text or by URL.',
  route: 'GET /api/search',
  params: searchParams,
  envelope: object,
  read: (obj, reading) => {
    if (!isObject(obj)) return found(obj, reading)
    if (!kinds.some((kind) => kind in obj)) return undefined
    return kinds.every((kind) => isNone(obj[kind] ?? null)) ? null : found(obj, reading)
  },
  nothing: null,
  teaches: (answer) => [
    ...ofArtists(...(answer?.artists ?? [])),
    ...ofTracks(...(answer?.tracks ?? [])),
    ...ofAlbums(...(answer?.albums ?? [])),
  ],
  freshFor: minutes(10),
})

const view = <R>(
  bucket: string,
  rowsOf: (found: Found) => Rows<R>['rows'] | undefined,
): View<Found | null, R> => ({
  endpoint: search,
  end: 'short',
  windows: [100],
  bucket,
  rows: (answer) => ({
    rows: (answer && rowsOf(answer)) ?? [],
    total: null,
    offset: null,
  }),
})

/** The lists of a search, each as a listing; all are cut from the same answers. */
export const bucket = {
  artists: view('artists', ({ artists }) => artists),
  tracks: view('tracks', ({ tracks }) => tracks),
  albums: view('albums', ({ albums }) => albums),
  playlists: (platform: PlaylistPlatform) =>
    view(`playlists.${platform}`, ({ playlists }) => playlists?.[platform]),
  curators: (platform: CuratorPlatform) =>
    view(`curators.${platform}`, ({ curators }) => curators?.[platform]),
  cities: view('cities', ({ cities }) => cities),
  songwriters: view('songwriters', ({ songwriters }) => songwriters),
  stations: view('stations', ({ stations }) => stations),
  labels: view('labels', ({ labels }) => labels),
  countries: view('countries', ({ countries }) => countries),
  genres: view('genres', ({ genres }) => genres),
  festivals: view('festivals', ({ festivals }) => festivals),
}
