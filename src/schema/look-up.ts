import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { type EntityLoader, known } from '../loaders/entity.ts'
import type { Loaders } from '../loaders/index.ts'
import type { Endpoint } from '../upstream/endpoint.ts'
import { album } from '../upstream/endpoints/album.ts'
import { artist } from '../upstream/endpoints/artist.ts'
import { track } from '../upstream/endpoints/track.ts'
import { checkArgs } from '../upstream/request.ts'
import { Album } from './album.ts'
import { Artist } from './artist.ts'
import { brandBy } from './brand.ts'
import { builder } from './builder.ts'
import { KEYS, lookUp, Node } from './entity.ts'
import { Track } from './track.ts'
import { venueBy } from './venue.ts'

/**
 * An entity by the number that a client gives, refused before anything is spent where no such number can be. Fields
 * that stand `apart` ask for themselves; where there are no others, the record is not paid for.
 */
const byNumber =
  <R>(
    endpoint: Endpoint<R | null>,
    loaderOf: (loaders: Loaders) => EntityLoader<R, number>,
    ...apart: string[]
  ) =>
  (cmId: number, { loaders }: Context, info: GraphQLResolveInfo) => {
    checkArgs(endpoint, { cmId })
    return lookUp(loaderOf(loaders), known<R>(cmId), info, new Set([...KEYS, ...apart]))
  }

const OF_ARTIST = ['events', 'premium', 'tracks']
const artistBy = byNumber(artist, (loaders) => loaders.artist, ...OF_ARTIST)
const partialArtistBy = byNumber(artist, (loaders) => loaders.partialArtist, ...OF_ARTIST)
const trackBy = byNumber(track, (loaders) => loaders.track, 'premium', 'streamEstimates')
const albumBy = byNumber(album, (loaders) => loaders.album)

/** One slot of a list asked by ids: what fails there leaves the other slots standing. */
const slot = <T>(of: () => T): T | Promise<never> => {
  try {
    return of()
  } catch (failure) {
    return Promise.reject(failure)
  }
}

builder.queryFields((t) => ({
  artist: t.field({
    type: Artist,
    description: 'One artist; 1 credit. Wire: GET /api/artist/{id}',
    args: {
      cmId: t.arg.int({ required: true, description: 'Number of the artist, 2 to 2147483647.' }),
      allowPartial: t.arg.boolean({
        defaultValue: false,
        description:
          'Accept what is there while the service rebuilds its data. Wire: x-accept-partial-data',
      }),
    },
    resolve: (_query, { cmId, allowPartial }, context, info) =>
      (allowPartial ? partialArtistBy : artistBy)(cmId, context, info),
  }),
  artists: t.field({
    type: [Artist],
    nullable: { list: false, items: true },
    description: 'Artists, same order, null where missing; 1 credit each.',
    args: { cmIds: t.arg.intList({ required: true, description: 'Numbers of the artists.' }) },
    resolve: (_query, { cmIds }, context, info) =>
      cmIds.map((cmId) => slot(() => artistBy(cmId, context, info))),
  }),
  track: t.field({
    type: Track,
    description: 'One track; 1 credit. Wire: GET /api/track/{id}',
    args: {
      cmId: t.arg.int({ required: true, description: 'Number of the track, 0 to 2147483647.' }),
    },
    resolve: (_query, { cmId }, context, info) => trackBy(cmId, context, info),
  }),
  tracks: t.field({
    type: [Track],
    nullable: { list: false, items: true },
    description: 'Tracks, same order, null where missing; 1 credit each.',
    args: { cmIds: t.arg.intList({ required: true, description: 'Numbers of the tracks.' }) },
    resolve: (_query, { cmIds }, context, info) =>
      cmIds.map((cmId) => slot(() => trackBy(cmId, context, info))),
  }),
  album: t.field({
    type: Album,
    description: 'One album; 1 credit. Wire: GET /api/album/{id}',
    args: {
      cmId: t.arg.int({ required: true, description: 'Number of the album, 0 to 2147483647.' }),
    },
    resolve: (_query, { cmId }, context, info) => albumBy(cmId, context, info),
  }),
  albums: t.field({
    type: [Album],
    nullable: { list: false, items: true },
    description: 'Albums, same order, null where missing; 1 credit each.',
    args: { cmIds: t.arg.intList({ required: true, description: 'Numbers of the albums.' }) },
    resolve: (_query, { cmIds }, context, info) =>
      cmIds.map((cmId) => slot(() => albumBy(cmId, context, info))),
  }),
}))

type Entity = { readonly cmId: number | string }
type Found = Entity | null | Promise<Entity | null>
type By<Id> = (cmId: Id, context: Context, info: GraphQLResolveInfo) => Found

const numbered =
  (by: By<number>): By<string> =>
  (cmId, context, info) => {
    if (!/^\d{1,10}$/.test(cmId)) throw noSuchId(cmId)
    return by(Number(cmId), context, info)
  }

const nodeKinds: Readonly<Record<string, By<string>>> = {
  Artist: numbered(artistBy),
  Track: numbered(trackBy),
  Album: numbered(albumBy),
  Venue: venueBy,
  Brand: brandBy,
}

const noSuchId = (id: string): GatewayError =>
  new GatewayError(
    'BAD_USER_INPUT',
    `id must be a global id such as Artist:5, of ${Object.keys(nodeKinds).join(', ')}, got ${JSON.stringify(id.slice(0, 60))}`,
    { argument: 'id' },
  )

const GLOBAL_ID = /^([A-Za-z]{1,20}):([A-Za-z0-9_-]{1,64})$/

const nodeBy = (id: string, context: Context, info: GraphQLResolveInfo) => {
  const [, type = '', own = ''] = GLOBAL_ID.exec(id) ?? []
  const by = Object.entries(nodeKinds).find(([name]) => name === type)?.[1]
  if (by === undefined) throw noSuchId(id)
  const named = (entity: Entity | null) => entity && Object.assign(entity, { __typename: type })
  const found = by(own, context, info)
  return found instanceof Promise ? found.then(named) : named(found)
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    description: 'The object of a global id: Artist, Track, Album, Venue or Brand.',
    args: { id: t.arg.id({ required: true, description: 'Global id.' }) },
    resolve: (_query, { id }, context, info) => nodeBy(id, context, info),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: 'The objects of global ids, same order, null where missing.',
    args: { ids: t.arg.idList({ required: true, description: 'Global ids.' }) },
    resolve: (_query, { ids }, context, info) =>
      ids.map((id) => slot(() => nodeBy(id, context, info))),
  }),
}))
