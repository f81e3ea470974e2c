import { getNullableType, isListType, isNonNullType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../src/schema/index.ts'
import { membersOf, SHAPES, typeOf, walk } from './support/member.ts'

const BASE = {
  arrays: `cm_artist artist_names code2s artist_images artist_covers platA_track_ids platA_album_ids platH_track_ids
    platH_album_ids platH_artist_ids platH_artist_names storefronts platB_track_ids platB_album_ids platC_track_ids
    platC_album_ids album_ids album_names album_upc album_label release_dates rankStats`,
  nullable: `name isrc image_url description tags cm_track platA_duration_ms platB_duration rank pre_rank peak_rank
    velocity`,
}
const LISTENERS = 'sp_where_people_listen'

/** Members that the specification lists as arrays, and those that it lists as "or null" or nullable. */
const SPECIFIED: Readonly<Record<string, { arrays?: string; nullable?: string }>> = {
  'artist stat-range row': {
    arrays: LISTENERS,
    nullable: `platL_likes platL_talks platM_followers platM_retweets platN_followers platJ_channel_views
      platJ_subscribers platJ_daily_video_views platJ_monthly_video_views platO_views platE_followers platP_followers
      platD_followers platD_likes`,
  },
  'artist metadata': {
    arrays: `topSongwriterCollaborators genres.secondary genres.sub genre_smart_ordered moods activities
      cm_statistics.${LISTENERS}`,
    nullable: `name local_name local_name_locale pronoun_title gender_title gender isni hometown_city current_city
      current_city_id band_members booking_agent record_label press_contact general_manager`,
  },
  'track metadata': {
    arrays: 'artists albums',
    nullable: `name local_name local_name_locale image_url preview_url composer_name track_tier albums.popularity moods
      activities genres songwriters cm_songwriters score`,
  },
  'album metadata': {
    arrays: 'platA_album_ids platH_album_ids platB_album_ids artists',
    nullable: `id name local_name local_name_locale description created_at modified_at platH_album_ids
      platB_album_ids`,
  },
  'playlist row': { nullable: 'code2' },
  'search result': {
    arrays: 'tracks.artist_names',
    nullable: 'curators.image_url cities.province songwriters.image_url',
  },
  'platU chart row': BASE,
  'platF chart row': BASE,
  'platE chart row': BASE,
  'platG chart row': { ...BASE, arrays: `${BASE.arrays} platH_album_id` },
  'platD track chart row': {
    arrays: `platD_artist_names platD_track_ids album_ids album_names album_upc album_label release_dates rankStats`,
  },
  'platA artist chart row': {
    arrays: 'tags platA_artist_ids platH_artist_ids platB_artist_ids platC_artist_ids rankStats',
    nullable: 'platC_artist_ids',
  },
  'platB track chart row': {
    arrays: `cm_artist artist_names code2s artist_images artist_covers album_ids album_names album_upc album_label
      release_dates platB_artist_names platB_artist_ids platB_track_ids platB_album_ids rankStats`,
  },
  'track filter row': { arrays: 'album artist genre songwriter' },
  'festival row': { arrays: 'topGenres', nullable: 'links.platQ links.platR links.platS' },
  'stream estimate item': { arrays: 'estimates' },
  'radio station row': {
    nullable: 'platL_followers platL_likes platN_followers platM_followers platO_views',
  },
  'live event row': {
    arrays: 'price_trend',
    nullable: 'platQ_event_url platR_event_url platS_event_url platT_event_url',
  },
  'venue events result': { arrays: 'artists', nullable: 'artists.is_headliner' },
}

const wordsOf = (text = '') => new Set(text.split(/\s+/).filter((word) => word !== ''))

describe.each(Object.entries(SHAPES))('%s', (name, shape) => {
  const arrays = wordsOf(SPECIFIED[name]?.arrays)
  const nullable = wordsOf(SPECIFIED[name]?.nullable)
  const paths = membersOf(shape).map(([wire, path]) => {
    const steps = walk(typeOf(shape), path).map(({ field }) => field)
    return { wire, path, steps, said: steps.at(-1)?.description ?? '' }
  })

  test('says of each member whether it is null, and what that means', () => {
    const silent = paths.filter(({ said }) => !/\b(null|empty)\b/i.test(said))
    expect(silent.map(({ path, said }) => `${path} says ${said}`)).toEqual([])
  })

  test('says of each array that it is empty where there is nothing', () => {
    const meant = paths.filter(({ wire }) => arrays.has(wire))
    expect(new Set(meant.map(({ wire }) => wire))).toEqual(arrays)
    const silent = meant.filter(
      ({ steps }) =>
        !steps.some(({ description }) => /\bempty for none\b/i.test(description ?? '')),
    )
    expect(silent.map(({ wire, path, said }) => `${wire}: ${path} says ${said}`)).toEqual([])
  })

  test('promises no value where the specification lists a null', () => {
    const meant = paths.filter(({ wire }) => nullable.has(wire))
    expect(new Set(meant.map(({ wire }) => wire))).toEqual(nullable)
    const promised = meant.filter(({ steps, said }) => {
      const type = steps.at(-1)?.type
      const isList = type !== undefined && isListType(getNullableType(type))
      return isList
        ? !/\bempty for none\b/i.test(said)
        : steps.every(({ description }) => /\bnever null\b/i.test(description ?? ''))
    })
    expect(promised.map(({ wire, path, said }) => `${wire}: ${path} says ${said}`)).toEqual([])
  })
})

const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type) && !type.name.startsWith('__')
    ? Object.values(type.getFields()).map((field) => ({
        name: `${type.name}.${field.name}`,
        field,
      }))
    : [],
)
const saidOf = (wanted: string) => fields.find(({ name }) => name === wanted)?.field.description

test('a description and its type agree on what is never null', () => {
  expect(fields.length).toBeGreaterThan(800)
  const lying = fields.filter(
    ({ field }) => /\bnever null\b/i.test(field.description ?? '') && !isNonNullType(field.type),
  )
  const silent = fields.filter(
    ({ field }) => !isNonNullType(field.type) && !/\bnull\b/i.test(field.description ?? ''),
  )
  expect([...lying, ...silent].map(({ name }) => name)).toEqual([])
})

test.each([
  ['ArtistStatRow.platLLikes', 'Likes on platL. Null if unknown. Wire: platL_likes'],
  [
    'ArtistStatRow.genres',
    'Genres; comma-separated on the wire. Never null, empty for none. Wire: genres',
  ],
  ['Artist.name', 'Name. Null if unknown, or with an error if not answered. Wire: name'],
  [
    'Artist.moods',
    'Moods. Null if unknown, or with an error if not answered. Empty for none. Wire: moods',
  ],
  ['Query.venues', 'Venues. Null, with an error, if not answered. Wire: GET /api/venue'],
  ['PlatUChartEntry.track', 'The track, null when unmatched. Wire: cm_track'],
  ['Festival.cmId', "The service's number. Never null. Wire: id"],
])('%s says: %s', (name, said) => {
  expect(saidOf(name)).toBe(said)
})
