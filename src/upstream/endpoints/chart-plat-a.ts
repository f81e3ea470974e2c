import { part } from '../decode.ts'
import { listing } from '../endpoint.ts'
import { oneOf, query } from '../params.ts'
import { commaList, count, country, day, float, id, int, key, list, text, url } from '../values.ts'
import { chart, dating, entry, paging, place } from './chart.ts'
import { ofArtists } from './taught.ts'

export const CHART_INTERVAL = { DAILY: 'daily', WEEKLY: 'weekly', MONTHLY: 'monthly' } as const

export const PLAT_A_ARTIST_CHART_TYPE = {
  MONTHLY_LISTENERS: 'monthly_listeners',
  POPULARITY: 'popularity',
  FOLLOWERS: 'followers',
  PLAYLIST_COUNT: 'playlist_count',
  PLAYLIST_REACH: 'playlist_reach',
} as const

/** An artist of the platA chart. */
export const chartedArtist = part(
  {
    cmId: ['id', id],
    name: ['name', text],
    imageUrl: ['image_url', url],
    isni: ['isni', text],
    countryCode: ['code2', country],
    hometownCity: ['hometown_city', text],
    currentCity: ['current_city', text],
  } as const,
  'cmId',
)

const platAEntry = entry({
  ...place,
  artist: ['', chartedArtist],
  date: ['timestp', day],
  change: ['change', text],
  streak: ['streak', int],
  artistRank: ['cm_artist_rank', int],
  artistScore: ['cm_artist_score', float],
  platAFollowers: ['sp_followers', count],
  platAPopularity: ['sp_popularity', int],
  platAMonthlyListeners: ['sp_monthly_listeners', count],
  monthlyPlaylistReach: ['monthly_playlist_reach', count],
  platBFans: ['platB_fans', count],
  tags: ['tags', commaList],
  platAArtistIds: ['platA_artist_ids', list(key)],
  platBArtistIds: ['platB_artist_ids', list(key)],
  platCArtistIds: ['platC_artist_ids', list(key)],
  platHArtistIds: ['platH_artist_ids', list(key)],
})
export type PlatAEntry = NonNullable<ReturnType<typeof platAEntry>>

export const platAArtistChart = listing({
  ...chart,
  name: 'platAArtistChart',
  doc: 'Artists of platA by a statistic.',
  route: 'GET /api/charts/platA/artists',
  params: {
    ...dating,
    interval: query('interval', oneOf(CHART_INTERVAL), { required: true }),
    type: query('type', oneOf(PLAT_A_ARTIST_CHART_TYPE), { required: true }),
    ...paging,
  },
  row: platAEntry,
  teaches: ({ artist }) => ofArtists(artist),
  end: 'empty',
})
