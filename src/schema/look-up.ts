import * as kinds from '../loaders/kind.ts'
import { Album } from './album.ts'
import { Artist } from './artist.ts'
import { builder } from './builder.ts'
import { type Finder, finder } from './entity.ts'
import { findingMany, findingOne } from './finding.ts'
import { Track } from './track.ts'

export const artists = finder('Artist', kinds.artists.requestOf, (loaders) => loaders.artist)
const partialArtists = finder(
  'Artist',
  kinds.partialArtists.requestOf,
  (loaders) => loaders.partialArtist,
  kinds.artists.requestOf,
)
export const tracks = finder('Track', kinds.tracks.requestOf, (loaders) => loaders.track)
export const albums = finder('Album', kinds.albums.requestOf, (loaders) => loaders.album)

interface ArtistArgs {
  readonly cmId: number
  readonly allowPartial?: boolean | null | undefined
}

/** Artists, from what is ready or from the whole record, as the arguments say. */
const artistsAsAsked: Finder<typeof Artist.$inferType, ArtistArgs> = {
  seek: ({ cmId, allowPartial }) => (allowPartial ? partialArtists : artists).seek(cmId),
  find: ({ cmId, allowPartial }, context, info) =>
    (allowPartial ? partialArtists : artists).find(cmId, context, info),
}

const byId = ({ cmId }: { readonly cmId: number }) => cmId

builder.queryFields((t) => ({
  artist: t.field({
    type: Artist,
    description: 'One artist; 1 credit. Wire: GET /api/artist/{id}',
    args: {
      cmId: t.arg.int({ required: true, description: 'Number of the artist, 2 to 2147483647.' }),
      allowPartial: t.arg.boolean({
        defaultValue: false,
        description:
          'Accept what is there while the service rebuilds its data; where nothing is, the whole record is asked for in its place, for 1 credit more. Wire: x-accept-partial-data',
      }),
    },
    resolve: findingOne(artistsAsAsked, (args: ArtistArgs) => args),
  }),
  artists: t.field({
    type: [Artist],
    nullable: { list: false, items: true },
    description: 'Artists, same order, null where missing; 1 credit each.',
    args: { cmIds: t.arg.intList({ required: true, description: 'Numbers of the artists.' }) },
    resolve: findingMany(artists, 'cmIds'),
  }),
  track: t.field({
    type: Track,
    description: 'One track; 1 credit. Wire: GET /api/track/{id}',
    args: {
      cmId: t.arg.int({ required: true, description: 'Number of the track, 0 to 2147483647.' }),
    },
    resolve: findingOne(tracks, byId),
  }),
  tracks: t.field({
    type: [Track],
    nullable: { list: false, items: true },
    description: 'Tracks, same order, null where missing; 1 credit each.',
    args: { cmIds: t.arg.intList({ required: true, description: 'Numbers of the tracks.' }) },
    resolve: findingMany(tracks, 'cmIds'),
  }),
  album: t.field({
    type: Album,
    description: 'One album; 1 credit. Wire: GET /api/album/{id}',
    args: {
      cmId: t.arg.int({ required: true, description: 'Number of the album, 0 to 2147483647.' }),
    },
    resolve: findingOne(albums, byId),
  }),
  albums: t.field({
    type: [Album],
    nullable: { list: false, items: true },
    description: 'Albums, same order, null where missing; 1 credit each.',
    args: { cmIds: t.arg.intList({ required: true, description: 'Numbers of the albums.' }) },
    resolve: findingMany(albums, 'cmIds'),
  }),
}))
