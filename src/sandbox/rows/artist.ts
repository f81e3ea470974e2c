import { type ArtistCounter, COUNTERS, counterRank } from '../world/artist-counter.ts'
import { artistScore, listenerCities } from '../world/audience.ts'
import { dayOf, momentOf } from '../world/day.ts'
import { ACTIVITIES, MOODS, someOf } from '../world/genre.ts'
import { FIRST, LAST } from '../world/words.ts'
import type { World } from '../world.ts'

interface ArtistAsk {
  readonly id: number
  readonly 'x-accept-partial-data'?: boolean
}

const STAGES = ['undiscovered', 'developing', 'mid-level', 'mainstream', 'superstar', 'legendary']
const TRENDS = ['decline', 'gradual decline', 'steady', 'growth', 'explosive growth']

/** `GET /api/artist/{id}`. */
export const artistRows = (world: World) => {
  const { artistCounter, artists, dice } = world

  const statistics = (id: number) => {
    const rank = artists.rank(id)
    const counted = Object.keys(COUNTERS).flatMap((counter) => [
      [counter, artistCounter(id, counter as ArtistCounter)],
      [`${counter}_rank`, counterRank(dice, rank, counter, id)],
    ])
    const city = artists.city(id)
    return {
      countryRank: {
        code2: city.code2,
        country: city.country,
        rank: Math.ceil(rank / 9),
        percentile: Math.round(10_000 * (1 - rank / 6001)) / 100,
      },
      ...Object.fromEntries(counted),
      sp_popularity: artistCounter(id, 'sp_popularity'),
      sp_popularity_rank: counterRank(dice, rank, 'sp_popularity', id),
      sp_where_people_listen: listenerCities(world, id),
      cm_artist_rank: rank,
      fan_base_rank: counterRank(dice, rank, 'fan base', id),
      engagement_rank: counterRank(dice, rank, 'engagement', id),
      platG_count: dice.int('artist platG_count', id, 0, Math.floor(4e7 / rank)),
      platW_pageviews: dice.int('artist platW_pageviews', id, 0, Math.floor(9e6 / rank)),
      platW_pageviews_rank: counterRank(dice, rank, 'platW_pageviews', id),
      platG_count_rank: counterRank(dice, rank, 'platG_count', id),
      platI_plays: dice.int('artist platI_plays', id, 0, Math.floor(9e10 / rank)),
      platK_popularity: artistCounter(id, 'sp_popularity'),
      live_audio_listeners: dice.chance('artist live audio', id, 0.5)
        ? null
        : dice.int('artist live audio', id, 0, 90_000, 1),
    }
  }

  const person = (noun: string, id: number, turn = 0): string =>
    `${dice.pick(`${noun} first`, id, FIRST, turn)} ${dice.pick(`${noun} last`, id, LAST, turn)}`
  const maybe = <T>(noun: string, id: number, probability: number, value: T): T | null =>
    dice.chance(noun, id, probability) ? value : null

  const metadata = (id: number) => {
    const { primary, secondary, sub } = artists.genres(id)
    const kind = (type: string) => (genre: { id: number; name: string }) => ({
      id: genre.id,
      name: genre.name,
      type,
      source: 'cm',
    })
    const rank = artists.rank(id)
    const city = artists.city(id)
    const band = dice.chance('artist band', id, 0.4)
    const ordered = [primary, ...sub, ...secondary]
    const placed = (name: string | undefined, spread: number) =>
      name === undefined ? null : { name, rank: Math.ceil(rank / spread) }
    return {
      id,
      name: artists.name(id),
      ...artists.localName(id),
      created_at: momentOf(
        dayOf('2016-01-01') + dice.int('artist created', id, 0, 3000),
        dice.int('artist created', id, 0, 86_399, 1),
      ),
      code2: artists.code2(id),
      band,
      pronoun_title: band
        ? null
        : dice.pick('artist pronoun', id, ['she/her', 'he/him', 'they/them']),
      gender_title: null,
      gender: null,
      isni: artists.isni(id),
      cm_artist_rank: rank,
      cm_artist_score: artistScore(world, id),
      cover_url: artists.cover(id),
      image_url: artists.image(id),
      hometown_city: maybe('artist hometown', id, 0.8, city.name),
      current_city: maybe('artist current', id, 0.6, city.name),
      current_city_id: maybe('artist current', id, 0.6, city.id),
      band_members: band ? `${person('member', id)}, ${person('member', id, 1)}` : null,
      booking_agent: maybe('artist agent', id, 0.4, `${person('agent', id)}, Fictional Bookings`),
      record_label: artists.signed(id) ? artists.label(id) : null,
      press_contact: maybe('artist press', id, 0.2, `press-${id}@example.invalid`),
      general_manager: maybe('artist manager', id, 0.3, person('manager', id)),
      topSongwriterCollaborators: [0, 1]
        .slice(0, dice.int('artist collaborators', id, 0, 2))
        .map((turn) => person('collaborator', id, turn)),
      description: `${artists.name(id)} from ${city.name}. Invented for the Refrain sandbox.`,
      genres: {
        primary: kind('primary')(primary),
        secondary: secondary.map(kind('secondary')),
        sub: sub.map(kind('sub')),
      },
      genre_smart_ordered: ordered.map((genre, i) => ({ [String(i + 1)]: genre.id })),
      moods: someOf(dice, 'artist mood', id, MOODS),
      activities: someOf(dice, 'artist activity', id, ACTIVITIES),
      career_status: {
        stage: STAGES[Math.min(5, Math.floor(artistScore(world, id) / 17))],
        stage_score: artistScore(world, id),
        trend: dice.pick('artist trend', id, TRENDS),
        trend_score: dice.int('artist trend', id, -100, 100, 1) / 100,
      },
      cm_statistics: statistics(id),
      genreRank: placed(primary.name, 12),
      subGenreRank1: placed(sub[0]?.name, 60),
      subGenreRank2: placed(sub[1]?.name, 60),
    }
  }

  /** One artist in fifty is always being rebuilt: who accepts partial data gets it without these. */
  const partial = {
    genres: null,
    moods: null,
    activities: null,
    career_status: null,
    cm_statistics: null,
  }

  return {
    artist({ id, 'x-accept-partial-data': accepts }: ArtistAsk): object | undefined {
      if (!artists.exists(id)) return undefined
      const rebuilding = accepts === true && dice.chance('artist rebuilding', id, 0.02)
      return rebuilding ? { ...metadata(id), ...partial } : metadata(id)
    },
  }
}
