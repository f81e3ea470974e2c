import { artistScore } from '../world/audience.ts'
import { createNameIndex, type Hit } from '../world/name-index.ts'
import { CURATOR_PLATFORMS, CURATORS, PLAYLIST_PLATFORMS } from '../world/playlist.ts'
import { SIZE } from '../world/size.ts'
import { FIRST, LAST } from '../world/words.ts'
import type { World } from '../world.ts'
import { radioRows } from './radio.ts'

/** Kinds of things that search finds, in the order of its buckets. */
export const KINDS = [
  'artists',
  'playlists',
  'tracks',
  'curators',
  'albums',
  'cities',
  'songwriters',
  'stations',
] as const
export type Kind = (typeof KINDS)[number]

/** Search knows the most followed playlists of a platform only. */
const FOUND_PLAYLISTS = 3_000
const ranked = (size: number, byRank: (rank: number) => number) => () =>
  Array.from({ length: size }, (_, i) => byRank(i + 1))
const upTo = (size: number) => () => Array.from({ length: size }, (_, i) => i + 1)

/** One findable kind of thing on one platform: where it is looked up, and the row that search shows. */
export interface Findable {
  readonly kind: Kind
  readonly platform: string
  find(q: string): Hit[]
  row(id: number): object
}

/** Everything that can be found by its name. */
export const createFindables = (world: World): Findable[] => {
  const { albums, artistCounter, artists, cities, curators, dice, tracks } = world
  const findable = (
    kind: Kind,
    platform: string,
    ids: () => readonly number[],
    name: (id: number) => string,
    row: (id: number) => object,
  ): Findable => {
    const find = createNameIndex(ids, name)
    return { kind, platform, find, row: (id) => ({ ...row(id), name: name(id) }) }
  }
  const writer = (id: number): string => {
    const [first = 0, last = 0] = [Math.floor((id - 1) / LAST.length), (id - 1) % LAST.length]
    return `${FIRST[first]} ${LAST[last]}`
  }
  const stations = radioRows(world).radioStations({}).rows as { name: string }[]

  return [
    findable('artists', 'cm', ranked(SIZE.artists, artists.byRank), artists.name, (id) => ({
      id,
      image_url: artists.image(id),
      isni: artists.isni(id),
      sp_followers: artistCounter(id, 'sp_followers'),
      sp_monthly_listeners: artistCounter(id, 'sp_monthly_listeners'),
      cm_artist_score: artistScore(world, id),
    })),
    findable('tracks', 'cm', ranked(SIZE.tracks, tracks.byRank), tracks.name, (id) => ({
      id: String(id),
      image_url: tracks.image(id),
      isrc: tracks.isrc(id),
      artist_names: tracks.artists(id).map(artists.name),
    })),
    findable(
      'albums',
      'cm',
      () => [...Array(SIZE.albums).keys()],
      albums.name,
      (id) => ({
        id,
        image_url: albums.image(id),
        label: albums.label(id),
      }),
    ),
    findable('songwriters', 'cm', upTo(FIRST.length * LAST.length), writer, (id) => ({
      doc_id: id,
      artistName: artists.name(dice.int('songwriter artist', id, 2, SIZE.artists + 1)),
      image_url: dice.chance('songwriter image', id, 0.5)
        ? null
        : `https://img.example.invalid/songwriter/${id}.jpg`,
    })),
    findable(
      'cities',
      'cm',
      () => cities.all.map(({ id }) => id),
      (id) => cities.of(id)?.name ?? '',
      (id) => {
        const { lat: _lat, lng: _lng, ...city } = cities.of(id) ?? { lat: 0, lng: 0 }
        return city
      },
    ),
    findable(
      'stations',
      'cm',
      upTo(SIZE.stations),
      (id) => stations[id - 1]?.name ?? '',
      (id) => ({
        id,
      }),
    ),
    ...PLAYLIST_PLATFORMS.map((platform) => {
      const playlists = world.playlists[platform]
      return findable(
        'playlists',
        platform,
        ranked(FOUND_PLAYLISTS, playlists.byRank),
        playlists.name,
        (position) => ({
          id: platform === 'platA' ? playlists.platformId(position) : playlists.id(position),
          image_url: playlists.image(position),
          owner_name: curators.name(platform, playlists.owner(position)),
        }),
      )
    }),
    ...CURATOR_PLATFORMS.map((platform) =>
      findable(
        'curators',
        platform,
        upTo(CURATORS),
        (id) => curators.name(platform, id),
        (id) => ({
          id,
          image_url: curators.image(platform, id),
        }),
      ),
    ),
  ]
}
