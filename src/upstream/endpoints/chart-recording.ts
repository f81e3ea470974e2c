import { type Columns, columnsOf, deep, type Reader, type Reading, type RowOf } from '../decode.ts'
import { isObject, type JsonObject } from '../envelopes.ts'
import { commaList, country, day, id, int, isrc, key, list, moment, text, url } from '../values.ts'
import { NAMED_ALBUM } from './album.ts'
import { albumCredits, artistCredits } from './chart-credit.ts'
import { ofAlbums, ofArtists, ofTracks } from './taught.ts'
import type { TrackPart } from './track.ts'

/** An array of a row without its holes, of which the text `None` is one. */
const filled = <T>(read: Reader<T | null>) =>
  list((value, reading) => (value === 'None' ? null : read(value, reading)))
const ids = filled(id)
const keys = filled(key)
const texts = filled(text)
const urls = filled(url)

const arrays = {
  artistIds: ['cm_artist', ids],
  artistNames: ['artist_names', texts],
  artistCountryCodes: ['code2s', filled(country)],
  artistImageUrls: ['artist_images', urls],
  artistCoverUrls: ['artist_covers', urls],
  albumIds: ['album_ids', ids],
  albumNames: ['album_names', texts],
  albumUpcs: ['album_upc', texts],
  albumLabels: ['album_label', texts],
  releaseDates: ['release_dates', filled(day)],
  storefronts: ['storefronts', texts],
  platATrackIds: ['platA_track_ids', keys],
  platAAlbumIds: ['platA_album_ids', keys],
  platBTrackIds: ['platB_track_ids', keys],
  platBAlbumIds: ['platB_album_ids', keys],
  platBArtistIds: ['platB_artist_ids', keys],
  platBArtistNames: ['platB_artist_names', texts],
  platCTrackIds: ['platC_track_ids', keys],
  platCAlbumIds: ['platC_album_ids', keys],
  platDTrackIds: ['platD_track_ids', keys],
  platDArtistNames: ['platD_artist_names', texts],
  platHTrackIds: ['platH_track_ids', keys],
  platHAlbumIds: ['platH_album_ids', keys],
  platHArtistIds: ['platH_artist_ids', keys],
  platHArtistNames: ['platH_artist_names', texts],
} as const

/** What a chart row mostly tells of an artist. */
export const ARTIST_TOLD = columnsOf(['name', 'imageUrl', 'coverUrl', 'countryCode'])

/** What lists that pair tell of a track, with what they tell of their entries. */
const ALBUMS_TOLD: Columns = new Map([['albums', NAMED_ALBUM]])
const CREDITS_TOLD: Columns = new Map([
  ...ALBUMS_TOLD,
  ['artists', ARTIST_TOLD],
  ['artistNames', undefined],
])

/** Reads what a row says of its track, where it says something: null is an answer, a member that is left out is none. */
const said = <T>(read: Reader<T>, value: unknown, reading: Reading): T | undefined =>
  value === undefined ? undefined : read(value, reading)

/**
 * Reads the track of a row, if one was matched; `credited` reads its artists, where rows name them with numbers. Lists
 * that are empty, or do not pair, say nothing of the track: so its artists and albums are told by most rows only.
 */
const matchedTrack = (credited?: ReturnType<typeof artistCredits>) => {
  class Track implements TrackPart {
    readonly cmId: number
    readonly #wire: JsonObject
    readonly #reading: Reading

    constructor(cmId: number, wire: JsonObject, reading: Reading) {
      this.cmId = cmId
      this.#wire = wire
      this.#reading = reading
    }

    get name() {
      return said(text, this.#wire.name, this.#reading)
    }
    get isrc() {
      return said(isrc, this.#wire.isrc, this.#reading)
    }
    get imageUrl() {
      return said(url, this.#wire.image_url, this.#reading)
    }
    get artists() {
      return credited?.(this.#wire, this.#reading)?.whole
    }
    get artistNames() {
      return this.artists?.flatMap(({ name }) => name ?? [])
    }
    get albums() {
      return albumCredits(this.#wire, this.#reading)?.whole
    }
  }
  const read: Reader<(TrackPart & { readonly cmId: number }) | null> = deep((wire, reading) => {
    if (!isObject(wire)) return undefined
    const cmId = id(wire.cm_track ?? null, reading)
    return cmId === null || cmId === undefined ? cmId : new Track(cmId, wire, reading)
  })
  return Object.assign(read, {
    tells: columnsOf(['name', 'isrc', 'imageUrl']),
    mostlyTells: credited === undefined ? ALBUMS_TOLD : CREDITS_TOLD,
  })
}

const credited = artistCredits('artist_names')
/** The track of a row that names its artists with their numbers. */
export const creditedTrack = matchedTrack(credited)
/** The track of a row that does not. */
export const uncreditedTrack = matchedTrack()

/** The recording that an entry is about: its track, its credits, and the row's arrays. */
export const recording = {
  ...arrays,
  rowId: ['id', key],
  name: ['name', text],
  isrc: ['isrc', isrc],
  imageUrl: ['image_url', url],
  trackId: ['cm_track', id],
  track: ['', creditedTrack],
  artistCredits: ['', credited],
  albumCredits: ['', albumCredits],
} as const
export type Recording = RowOf<typeof recording>

/** What the charts of platU, platF, platE and platG say beside it. */
export const base = {
  ...recording,
  description: ['description', text],
  tags: ['tags', commaList],
  platADurationMs: ['platA_duration_ms', int],
  platBDuration: ['platB_duration', int],
  createdAt: ['created_at', moment],
  modifiedAt: ['modified_at', moment],
} as const
export type Base = RowOf<typeof base>

/** What an entry says of its track, artists and albums. */
export const ofRecording = ({
  track,
  artistCredits,
  albumCredits,
}: Pick<Recording, 'track' | 'artistCredits' | 'albumCredits'>) => [
  ...ofTracks(track),
  ...ofArtists(...artistCredits.matched),
  ...ofAlbums(...albumCredits.matched),
]
