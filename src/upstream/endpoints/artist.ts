import { hours, minutes } from '../calendar.ts'
import { part, type RowOf, record, row, type Told } from '../decode.ts'
import { resource } from '../endpoint.ts'
import { isObject, object } from '../envelopes.ts'
import { bool as boolParam, entityId, header, path } from '../params.ts'
import {
  bool,
  count,
  country,
  float,
  id,
  int,
  label,
  list,
  moment,
  one,
  orPlain,
  text,
  url,
} from '../values.ts'
import { aliased } from './alias.ts'
import { artistGenres, descriptors, orderedGenres } from './genre.ts'
import { current } from './statistics.ts'

/** Number 1, the various artists, is refused by the service. */
export const artistId = entityId(2)

const place = row({
  countryCode: ['code2', country],
  listeners: ['listeners', count],
  name: [
    '',
    (value, reading) => (isObject(value) ? text(value.name ?? value.city, reading) : null),
  ],
} as const)

/** Where people listen; a list, or an object keyed by place. */
export const places = (value: unknown, reading: Parameters<typeof place>[1]) =>
  list(place)(
    isObject(value) && !('code2' in value)
      ? Object.entries(value).map(([name, at]) => ({
          name,
          ...(isObject(at) ? at : { listeners: at }),
        }))
      : value,
    reading,
  )
places.deep = true as const

const statistics = row({
  rank: ['cm_artist_rank', int],
  fanBaseRank: ['fan_base_rank', int],
  engagementRank: ['engagement_rank', int],
  countryRank: [
    'countryRank',
    one(
      row({
        countryCode: ['code2', country],
        country: ['country', text],
        rank: ['rank', int],
        percentile: ['percentile', float],
      } as const),
    ),
  ],
  platAFollowers: ['sp_followers', count],
  platAFollowersRank: ['sp_followers_rank', int],
  platAPopularity: ['sp_popularity', int],
  platAPopularityRank: ['sp_popularity_rank', int],
  platAMonthlyListeners: ['sp_monthly_listeners', count],
  platAMonthlyListenersRank: ['sp_monthly_listeners_rank', int],
  platAWherePeopleListen: ['sp_where_people_listen', places],
  platGCount: ['platG_count', count],
  platWPageViews: ['platW_pageviews', count],
} as const)
export type ArtistStatistics = NonNullable<ReturnType<typeof statistics>>

const genreRank = one(orPlain('name', row({ name: ['name', text], rank: ['rank', int] } as const)))

const artistTable = {
  cmId: ['id', id],
  name: ['name', text],
  localName: ['local_name', text],
  localNameLocale: ['local_name_locale', text],
  isni: ['isni', text],
  description: ['description', text],
  countryCode: ['code2', country],
  imageUrl: ['image_url', url],
  coverUrl: ['cover_url', url],
  isBand: ['band', bool],
  bandMembers: ['band_members', text],
  pronounTitle: ['pronoun_title', text],
  genderTitle: ['gender_title', text],
  gender: ['gender', text],
  hometownCity: ['hometown_city', text],
  currentCity: ['current_city', text],
  currentCityId: ['current_city_id', id],
  bookingAgent: ['booking_agent', text],
  recordLabel: ['record_label', text],
  pressContact: ['press_contact', text],
  generalManager: ['general_manager', text],
  topSongwriterCollaborators: ['topSongwriterCollaborators', list(text)],
  genres: ['genres', artistGenres],
  genreSmartOrdered: ['', orderedGenres],
  moods: ['moods', descriptors],
  activities: ['activities', descriptors],
  rank: ['cm_artist_rank', int],
  score: ['cm_artist_score', float],
  genreRank: ['genreRank', genreRank],
  subGenreRank1: ['subGenreRank1', genreRank],
  subGenreRank2: ['subGenreRank2', genreRank],
  careerStatus: [
    'career_status',
    one(
      orPlain(
        'stage',
        row({
          stage: ['stage', text],
          stageScore: ['stage_score', float],
          trend: ['trend', text],
          trendScore: ['trend_score', float],
        } as const),
      ),
    ),
  ],
  statistics: ['cm_statistics', current(statistics)],
  createdAt: ['created_at', moment],
} as const

/** An artist's metadata. */
export interface ArtistRecord extends RowOf<typeof artistTable> {}
/** What another payload tells of an artist. */
export type ArtistPart = Told<ArtistRecord>

const artistRecord = aliased(record(artistTable), { cm_artist_score: 'cm_score' })

export const artist = resource({
  name: 'artist',
  doc: 'Metadata and statistics of one artist.',
  route: 'GET /api/artist/{id}',
  params: {
    cmId: path('id', artistId),
    allowPartial: header('x-accept-partial-data', boolParam),
  },
  envelope: object,
  read: artistRecord,
  nothing: null,
  timeless: ['name', 'isni', 'imageUrl', 'countryCode'],
  repeats: ['cmId'],
  freshFor: ({ allowPartial }) => (allowPartial === true ? minutes(5) : hours(6)),
})

const partOf = <Wire extends string>(wire: Wire) => ({
  cmId: [wire, id] as const,
  name: ['name', text] as const,
  countryCode: ['code2', country] as const,
})

/** An artist as a track names it; the number may be missing. */
export const creditedArtist = part({ ...partOf('id'), imageUrl: ['image_url', url] } as const)
/** An artist as an album names it. */
export const albumArtist = part({
  cmId: ['cm_artist', id],
  name: ['name', text],
  imageUrl: ['image_url', url],
} as const)
/** An artist of the stat list. */
export const statArtist = part(partOf('cm_artist_id'), 'cmId')
/** An artist of whom only number and name are told: a lineup, a filter row, a venue's biggest. */
export const namedArtist = part({ cmId: ['id', id], name: ['name', text] } as const, 'cmId')

/** Every name among some credited artists, in order; those without a number too. */
export const creditedNames = list((value, reading) =>
  typeof value === 'number' ? undefined : label(value, reading),
)
