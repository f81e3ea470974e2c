import type { Page } from '../../page.ts'
import { dayOf, momentOf } from '../../world/day.ts'
import type { Ladders } from '../../world/ladder.ts'
import type { World } from '../../world.ts'
import { pageOfBoard, rowNumber } from './board.ts'
import { type ChartAsk, daily, EMPTY } from './edition.ts'
import { isCharted } from './plat-b.ts'
import type { Recordings } from './recording.ts'

interface PlatEAsk extends ChartAsk {
  readonly country_code: string
  readonly kind: string
  readonly genre: string
  readonly chart_type?: string
  readonly raw?: boolean
  readonly offset: number
}

const ROWS = 300
const PAGE = 50

/** `GET /api/charts/platE`: empty where there is no such day or country; any genre has a chart. */
export const platERows = (
  { artists, dice, tracks }: World,
  ladders: Ladders,
  recordings: Recordings,
) => {
  const user = (artist: number) => {
    const name = `sandbox-${artist}`
    const count = (noun: string, top: number): number => dice.int(`platE ${noun}`, artist, 0, top)
    const verified = dice.chance('platE verified', artist, 0.3)
    const city = artists.city(artist)
    return {
      id: 4_000_000 + artist,
      kind: 'user',
      username: artists.name(artist),
      permalink: name,
      permalink_url: `https://plate.example.invalid/${name}`,
      uri: `https://api.plate.example.invalid/users/${4_000_000 + artist}`,
      urn: `plate:users:${4_000_000 + artist}`,
      first_name: '',
      last_name: '',
      full_name: '',
      description: dice.chance('platE description', artist, 0.5)
        ? 'Invented for the Refrain sandbox.'
        : null,
      avatar_url: `https://img.example.invalid/avatar/${artist}.jpg`,
      city: dice.chance('platE city', artist, 0.5) ? city.name : null,
      country_code: dice.chance('platE country', artist, 0.7) ? city.code2 : null,
      verified,
      visuals: dice.chance('platE visuals', artist, 0.3)
        ? { urn: `plate:users:${4_000_000 + artist}`, enabled: true, visuals: [] }
        : null,
      create_at: momentOf(dayOf('2012-01-01') + count('created', 3_000), 0),
      last_modified: momentOf(dayOf('2024-01-01') + count('modified', 400), 0),
      followers_count: count('followers', 900_000),
      followings_count: count('followings', 900),
      comments_count: count('comments', 90),
      groups_count: 0,
      likes_count: count('likes', 3_000),
      playlist_likes_count: count('playlist likes', 90),
      playlist_count: count('playlists', 30),
      reposts_count: dice.chance('platE reposts', artist, 0.5) ? null : count('reposts', 90),
      track_count: count('tracks', 300),
      creator_subscriptions: [{ product: { id: verified ? 'creator-pro' : 'free' } }],
      badges: { pro_unlimited: verified, verified },
    }
  }

  return {
    platEChart(ask: PlatEAsk): Page | undefined {
      const { country_code: country, genre, kind } = ask
      if (country !== 'GLOBAL' && !isCharted(country)) return EMPTY
      const key = `platE ${country} ${kind} ${genre} ${ask.chart_type ?? 'track'}`
      return pageOfBoard(
        {
          ladders,
          publication: daily,
          key,
          rows: ROWS,
          missing: 'empty',
          row(id, place, edition) {
            const { peak_date, peak_rank, ...rest } = place
            const credit = recordings.base(key, id)
            const main = tracks.artists(id)[0] ?? 2
            const plays = Math.floor(9e9 / (place.rank + 1))
            return {
              id: rowNumber(edition, place.rank),
              ...credit,
              ...rest,
              ...(ask.raw === false ? { peak_rank, peak_date } : {}),
              time_on_chart: String(place.time_on_chart),
              country,
              genre,
              kind,
              platE_track_id: String(330_000_000 + id),
              playcount_all: String(plays),
              playcount_weekly: String(Math.floor(plays / 90)),
              artwork_url: tracks.image(id),
              permalink_url: `https://plate.example.invalid/sandbox-${main}/${id}`,
              public: true,
              publisher: dice.chance('platE publisher', id, 0.3) ? 'Fictional Publishing' : null,
              writer_composer: dice.chance('platE writer', id, 0.4)
                ? tracks.songwriters(id).join(', ')
                : null,
              artist: artists.name(main),
              album_title: credit.album_names[0] ?? null,
              platE_user: user(main),
            }
          },
        },
        ask,
        ask.offset,
        PAGE,
      )
    },
  }
}
