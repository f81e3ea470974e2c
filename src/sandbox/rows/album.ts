import { dateOf, momentOf } from '../world/day.ts'
import { outsideId } from '../world/outside.ts'
import type { World } from '../world.ts'

interface AlbumAsk {
  readonly id: number
}

/** `GET /api/album/{id}`; now and then `id` is null, `cm_album` never. */
export const albumRows = ({ albums, artists, dice, tracks }: World) => {
  const statistics = (id: number) => {
    const best = Math.min(...albums.tracks(id).map((track) => tracks.rank(track)))
    const count = (noun: string, top: number): number =>
      Math.floor((top / best) * (0.5 + dice.roll(`album ${noun}`, id)))
    return {
      sp_popularity: dice.int('album popularity', id, 0, 90, 1),
      num_sp_editorial_playlists: count('editorial playlists', 900),
      num_sp_playlists: count('playlists', 900_000),
      sp_playlist_total_reach: count('reach', 9e9),
      sp_editorial_playlist_total_reach: count('editorial reach', 2e8),
    }
  }
  const moment = (noun: string, id: number): string | null =>
    dice.chance(`album ${noun}`, id, 0.3)
      ? null
      : momentOf(
          Math.max(16_800, albums.released(id)) + dice.int(`album ${noun}`, id, 0, 90, 1),
          dice.int(`album ${noun}`, id, 0, 86_399, 2),
        )

  return {
    album({ id }: AlbumAsk): object | undefined {
      if (!albums.exists(id)) return undefined
      return {
        id: dice.chance('album without id', id, 0.02) ? null : id,
        upc: albums.upc(id),
        name: albums.name(id),
        local_name: null,
        local_name_locale: null,
        description: dice.chance('album description', id, 0.3)
          ? `${albums.name(id)}. Invented for the Refrain sandbox.`
          : null,
        image_url: albums.image(id),
        release_date: dateOf(albums.released(id)),
        label: albums.label(id),
        platA_popularity: dice.int('album popularity', id, 0, 90, 1),
        cm_label: 1 + (albums.mainArtist(id) % 900),
        cm_album: id,
        created_at: moment('created', id),
        modified_at: moment('modified', id),
        num_track: String(albums.tracks(id).length),
        platA_album_ids: [outsideId.platA('album', id)],
        platH_album_ids: dice.chance('album platH', id, 0.2)
          ? null
          : [String(outsideId.platH('album', id))],
        platB_album_ids: dice.chance('album platB', id, 0.2)
          ? null
          : [outsideId.platB('album', id)],
        artists: albums.artists(id).map((artist) => ({
          cm_artist: artist,
          name: artists.name(artist),
          image_url: artists.image(artist),
        })),
        cm_statistics: statistics(id),
      }
    },
  }
}
