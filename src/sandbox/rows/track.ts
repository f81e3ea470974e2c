import type { Today } from '../page.ts'
import { stampOf } from '../world/day.ts'
import { ACTIVITIES, commaList, MOODS, namesOf, someOf } from '../world/genre.ts'
import type { World } from '../world.ts'

interface TrackAsk extends Today {
  readonly id: number
}

const TIERS = ['emerging', 'mid', 'mainstream', 'superstar'] as const
/** The best known tracks have streams beyond 2^53: as the service writes them, in a string. */
const BEYOND_DOUBLE = 4

/** `GET /api/track/{id}`. */
export const trackRows = (world: World) => {
  const { albums, artists, dice, trackCounters, tracks } = world

  const albumsOf = (id: number) => {
    const held = tracks.albums(id).map((album) => ({
      id: album,
      name: albums.name(album),
      upc: albums.upc(album),
      release_date: stampOf(albums.released(album)),
      label: albums.label(album),
      image_url: albums.image(album),
      popularity: dice.chance('album popularity', album, 0.2)
        ? null
        : dice.int('album popularity', album, 0, 90, 1),
    }))
    const [home] = held
    const unmatched = home !== undefined && dice.chance('track unmatched album', id, 0.04)
    return unmatched ? [...held, { ...home, id: null, name: `${home.name} (Deluxe)` }] : held
  }

  const statistics = (id: number) => {
    const rank = tracks.rank(id)
    const plays = trackCounters.latest(id, 'platA_plays')
    return {
      cm_track: id,
      sp_popularity: trackCounters.latest(id, 'platA_popularity'),
      num_tt_videos: trackCounters.latest(id, 'platD_posts'),
      sp_streams:
        rank <= BEYOND_DOUBLE ? String(9_007_199_254_740_993n + 2n * BigInt(rank)) : String(plays),
      platW_page_views: dice.int('track platW_page_views', id, 0, Math.floor(2e6 / rank)),
      platJ_views: String(trackCounters.latest(id, 'platJ_views')),
      num_sp_playlists: trackCounters.latest(id, 'platA_playlist_count'),
      num_sp_editorial_playlists: trackCounters.latest(id, 'platA_ed_playlist_count'),
      sp_playlist_total_reach: trackCounters.latest(id, 'platA_playlist_total_reach'),
      airplay_streams: trackCounters.latest(id, 'airplay_streams'),
      platG_count: trackCounters.latest(id, 'platG_count'),
    }
  }

  const maybe = <T>(noun: string, id: number, value: T): T | null =>
    dice.chance(`track ${noun}`, id, 0.6) ? value : null

  return {
    track({ id }: TrackAsk): object | undefined {
      if (!tracks.exists(id)) return undefined
      const [home = 0] = tracks.albums(id)
      const genres = tracks.genres(id)
      const songwriters = tracks.songwriters(id)
      return {
        id,
        name: tracks.name(id),
        ...tracks.localName(id),
        isrc: tracks.isrc(id),
        image_url: tracks.image(id),
        preview_url: maybe('preview', id, `https://audio.example.invalid/preview/${id}.mp3`),
        duration_ms: tracks.duration(id),
        composer_name: maybe('composer', id, songwriters.join(' % ')),
        track_tier: maybe('tier', id, dice.pick('track tier', id, TIERS)),
        artists: tracks.artists(id).map((artist) => ({
          id: artist,
          name: artists.name(artist),
          image_url: artists.image(artist),
          code2: artists.code2(artist),
        })),
        albums: albumsOf(id),
        tags: commaList(dice, 'track', id, namesOf(genres)),
        moods: maybe('moods', id, someOf(dice, 'track mood', id, MOODS)),
        activities: maybe('activities', id, someOf(dice, 'track activity', id, ACTIVITIES)),
        genres: maybe('genres', id, [genres.primary, ...genres.secondary]),
        songwriters: maybe('songwriters', id, songwriters),
        cm_songwriters: maybe('cm_songwriters', id, null),
        score: maybe('score', id, trackCounters.score(id)),
        release_date: stampOf(albums.released(home)),
        album_label: albums.label(home),
        explicit: tracks.explicit(id),
        cm_statistics: statistics(id),
      }
    },
  }
}
