import type { Upstream } from '../upstream/client.ts'
import type { AlbumRecord } from '../upstream/endpoints/album.ts'
import type { ArtistRecord } from '../upstream/endpoints/artist.ts'
import type { TrackRecord } from '../upstream/endpoints/track.ts'
import type { VenueRecord } from '../upstream/endpoints/venue.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Rank } from '../upstream/turn.ts'
import { createArtistTracks } from './artist-track.ts'
import { EntityLoader, type Known } from './entity.ts'
import { createEstimates, type Estimates } from './estimate.ts'
import { albums, artists, partialArtists, tracks, venues } from './kind.ts'
import { createPages, type Pages } from './page.ts'

export type Artist = Known<ArtistRecord>
export type Track = Known<TrackRecord>
export type Album = Known<AlbumRecord>
export type Venue = Known<VenueRecord, string>

/** The loaders of one operation, each made when it is first used; they forget when the operation ends. */
export class Loaders {
  readonly #upstream: Upstream
  readonly #operation: Operation
  #artist: EntityLoader<ArtistRecord, number> | undefined
  #partialArtist: EntityLoader<ArtistRecord, number> | undefined
  #track: EntityLoader<TrackRecord, number> | undefined
  #album: EntityLoader<AlbumRecord, number> | undefined
  #venue: EntityLoader<VenueRecord, string> | undefined
  #estimate: Estimates | undefined
  #page: Pages | undefined
  #artistTracks: Pages | undefined

  constructor(upstream: Upstream, operation: Operation) {
    this.#upstream = upstream
    this.#operation = operation
  }

  /** What is given up sooner than who asks is not waited for: it would have the credits that are left. */
  #arrived(rank: Rank): Promise<unknown> {
    const all = [this.#artist, this.#partialArtist, this.#track, this.#album, this.#venue]
    return Promise.all(all.map((loader) => loader?.arrived(rank)))
  }

  get artist() {
    this.#artist ??= new EntityLoader(this.#upstream, this.#operation, artists)
    return this.#artist
  }

  get partialArtist() {
    this.#partialArtist ??= new EntityLoader(this.#upstream, this.#operation, partialArtists)
    return this.#partialArtist
  }

  get track() {
    this.#track ??= new EntityLoader(this.#upstream, this.#operation, tracks)
    return this.#track
  }

  get album() {
    this.#album ??= new EntityLoader(this.#upstream, this.#operation, albums)
    return this.#album
  }

  get venue() {
    this.#venue ??= new EntityLoader(this.#upstream, this.#operation, venues)
    return this.#venue
  }

  get estimate() {
    this.#estimate ??= createEstimates(this.#upstream, this.#operation, (rank) =>
      this.#arrived(rank),
    )
    return this.#estimate
  }

  get page() {
    this.#page ??= createPages(this.#upstream, this.#operation)
    return this.#page
  }

  get artistTracks() {
    this.#artistTracks ??= createArtistTracks(this.#upstream, this.#operation, this.page, (rank) =>
      this.#arrived(rank),
    )
    return this.#artistTracks
  }
}
