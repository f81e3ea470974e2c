import { type Albums, createAlbums } from './world/album.ts'
import { type Artists, createArtists } from './world/artist.ts'
import { type ArtistCounters, createArtistCounters } from './world/artist-counter.ts'
import { createDice, type Dice } from './world/dice.ts'
import { type Cities, createCities } from './world/place.ts'
import {
  type Curators,
  createCurators,
  createPlaylists,
  PLAYLIST_PLATFORMS,
  type PlaylistPlatform,
  type Playlists,
} from './world/playlist.ts'
import { createTour, type Tour } from './world/tour.ts'
import { createTracks, type Tracks } from './world/track.ts'
import { createTrackCounters, type TrackCounters } from './world/track-counter.ts'
import { createVenues, type Venues } from './world/venue.ts'

/** The invented data of one seed: every value a pure function of seed, noun and id. */
export interface World {
  readonly dice: Dice
  /** Whether chart rows lack a track, an artist or an album id now and then. */
  readonly flawedRows: boolean
  readonly cities: Cities
  readonly artists: Artists
  readonly artistCounter: ArtistCounters
  readonly albums: Albums
  readonly tracks: Tracks
  readonly trackCounters: TrackCounters
  readonly playlists: Readonly<Record<PlaylistPlatform, Playlists>>
  readonly curators: Curators
  readonly venues: Venues
  readonly tour: Tour
}

export const createWorld = (seed = 1, flawedRows = true): World => {
  const dice = createDice(seed)
  const cities = createCities(dice)
  const artists = createArtists(dice, cities)
  const albums = createAlbums(dice, artists)
  const tracks = createTracks(dice, albums)
  const playlists = Object.fromEntries(
    PLAYLIST_PLATFORMS.map((platform) => [platform, createPlaylists(dice, platform)]),
  ) as Record<PlaylistPlatform, Playlists>
  return {
    dice,
    flawedRows,
    cities,
    artists,
    artistCounter: createArtistCounters(dice, artists),
    albums,
    tracks,
    trackCounters: createTrackCounters(dice, tracks),
    playlists,
    curators: createCurators(dice),
    venues: createVenues(dice, cities),
    tour: createTour(dice),
  }
}
