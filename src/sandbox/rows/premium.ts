import type { Today } from '../page.ts'
import { listenerCities } from '../world/audience.ts'
import { dateOf, dayOf, stampOf } from '../world/day.ts'
import type { World } from '../world.ts'

interface IdAsk extends Today {
  readonly id: number
}
interface PlaylistsAsk extends IdAsk {
  readonly platform: string
  readonly status: string
}
interface BrandAsk extends Today {
  readonly brandId: string
}

const NOTE = 'Invented for the Refrain sandbox; the real payload is not documented.'
const AGES = ['13-17', '18-24', '25-34', '35-44', '45-64', '65-'] as const

/** The premium endpoints: any parameter is taken and nothing of the payload is promised. */
export const premiumRows = (world: World) => {
  const { artists, dice, playlists, tracks } = world

  const shares = (noun: string, id: number, names: readonly string[]) => {
    const weights = names.map((_, i) => 0.1 + dice.roll(noun, id, i))
    const sum = weights.reduce((a, b) => a + b, 0)
    return names.map((name, i) => ({
      code: name,
      weight: Math.round((1000 * (weights[i] ?? 0)) / sum) / 1000,
    }))
  }
  const audience = (noun: string, id: number, today: string) => ({
    note: NOTE,
    timestp: stampOf(dayOf(today) - 7),
    followers: dice.int(`${noun} followers`, id, 1_000, 90_000_000),
    genders: shares(`${noun} gender`, id, ['female', 'male']),
    ages: shares(`${noun} age`, id, AGES),
    countries: shares(`${noun} country`, id, ['US', 'GB', 'BR', 'DE', 'MX']),
  })
  const influencers = (noun: string, id: number) =>
    Array.from({ length: 5 }, (_, i) => ({
      username: `sandbox_person_${dice.int(noun, id, 1, 9_999, i)}`,
      followers: dice.int(`${noun} followers`, id, 1_000, 9_000_000, i),
      image_url: `https://img.example.invalid/person/${id}-${i}.jpg`,
    }))
  const videos = (noun: string, id: number) =>
    Array.from({ length: 5 }, (_, i) => ({
      id: String(7_000_000_000_000_000_000n + BigInt(dice.bits(noun, id, i))),
      views: dice.int(`${noun} views`, id, 1_000, 9_000_000_000, i),
      url: `https://video.example.invalid/${id}/${i}`,
    }))

  const ofArtist =
    <Ask extends IdAsk>(give: (ask: Ask) => object) =>
    (ask: Ask): object | undefined =>
      artists.exists(ask.id) ? give(ask) : undefined
  const ofTrack =
    (give: (ask: IdAsk) => object) =>
    (ask: IdAsk): object | undefined =>
      tracks.exists(ask.id) ? give(ask) : undefined

  return {
    artistPlatNAudienceStats: ofArtist(({ id, today }) => audience('platN', id, today)),
    artistPlatNAudienceStatsDates: ofArtist(({ today }) => ({
      note: NOTE,
      dates: [7, 37, 67].map((ago) => dateOf(dayOf(today) - ago)),
    })),
    artistSocialAudienceStats: ofArtist(({ id, today }) => audience('social', id, today)),
    artistPlatDAudienceStats: ofArtist(({ id, today }) => audience('platD', id, today)),
    artistPlatDInfluencerStats: ofArtist(({ id }) => ({
      note: NOTE,
      influencers: dice.int('influencer count', id, 0, 9_000),
      reach: dice.int('influencer reach', id, 0, 9_000_000_000),
    })),
    artistPlatDTopInfluencers: ofArtist(({ id }) => ({
      note: NOTE,
      data: influencers('artist influencer', id),
    })),
    artistPlatDTopVideos: ofArtist(({ id }) => ({ note: NOTE, data: videos('artist video', id) })),
    artistWherePeopleListen: ofArtist(({ id, today }) => ({
      note: NOTE,
      cities: Object.fromEntries(
        listenerCities(world, id).map(({ code2, listeners, name }) => [
          name,
          [{ code2, listeners, timestp: stampOf(dayOf(today) - 1) }],
        ]),
      ),
    })),
    artistPlatJAudienceStats: ofArtist(({ id, today }) => audience('platJ', id, today)),
    artistPlaylists: ofArtist(({ id, platform, status }: PlaylistsAsk) => ({
      note: NOTE,
      platform,
      status,
      data: [0, 1, 2].map((turn) => {
        const held = playlists[platform === 'platC' ? 'platC' : 'platB']
        const position = dice.int(`artist playlist ${platform} ${status}`, id, 0, 29_999, turn)
        return { playlist: { id: held.id(position), name: held.name(position) } }
      }),
    })),
    brandAudience({ brandId, today }: BrandAsk): object {
      const brand = [...brandId].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1e9
      return { brand_id: brandId, ...audience('brand', brand, today) }
    },
    trackPlatDInfluencerStats: ofTrack(({ id }) => ({
      note: NOTE,
      influencers: dice.int('track influencers', id, 0, 900),
    })),
    trackPlatDTopInfluencers: ofTrack(({ id }) => ({
      note: NOTE,
      data: influencers('track influencer', id),
    })),
    trackPlatDTopSounds: ofTrack(({ id }) => ({ note: NOTE, data: videos('track sound', id) })),
    trackTopVideos: ofTrack(({ id }) => ({ note: NOTE, data: videos('track video', id) })),
  }
}
