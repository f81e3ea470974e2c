import type { Artist as ArtistSource } from '../loaders/index.ts'
import { additionalFields } from '../upstream/decode.ts'
import { type ArtistRecord, artist } from '../upstream/endpoints/artist.ts'
import type { ArtistGenres as Genres } from '../upstream/endpoints/genre.ts'
import { ArtistStatistics } from './artist-statistics.ts'
import { builder } from './builder.ts'
import { BY_EITHER_ID, Node, telling } from './entity.ts'
import { Descriptor, Genre } from './genre.ts'

export const Artist = builder.objectRef<ArtistSource>('Artist')
const { told, wholly } = telling<ArtistRecord>(artist, (loaders) => loaders.artist)

const ArtistGenres = builder.objectRef<Genres>('ArtistGenres').implement({
  description: 'Genres of an artist.',
  fields: (t) => ({
    primary: t.expose('primary', { type: Genre, description: 'Main genre. Wire: primary' }),
    secondary: t.expose('secondary', {
      type: [Genre],
      nullable: false,
      description: 'Further genres. Wire: secondary',
    }),
    sub: t.expose('sub', { type: [Genre], nullable: false, description: 'Sub-genres. Wire: sub' }),
  }),
})

const GenreRank = builder.objectRef<NonNullable<ArtistRecord['genreRank']>>('GenreRank').implement({
  description: 'A rank within a genre.',
  fields: (t) => ({
    name: t.expose('name', { type: 'String', description: 'Genre. Wire: name' }),
    rank: t.expose('rank', { type: 'Int', description: 'Rank, 1 is best. Wire: rank' }),
  }),
})

const CareerStatus = builder
  .objectRef<NonNullable<ArtistRecord['careerStatus']>>('CareerStatus')
  .implement({
    description: 'Stage and trend of a career.',
    fields: (t) => ({
      stage: t.expose('stage', { type: 'String', description: 'Stage. Wire: stage' }),
      stageScore: t.expose('stageScore', {
        type: 'Float',
        description: 'Score of the stage. Wire: stage_score',
      }),
      trend: t.expose('trend', { type: 'String', description: 'Trend. Wire: trend' }),
      trendScore: t.expose('trendScore', {
        type: 'Float',
        description: 'Score of the trend. Wire: trend_score',
      }),
    }),
  })

Artist.implement({
  description:
    'An artist. Number 1 (various artists) shows what its row carries and is never fetched.',
  interfaces: [Node],
  extensions: { directives: { key: BY_EITHER_ID } },
  fields: (t) => ({
    cmId: t.exposeInt('cmId', {
      nullable: false,
      description: "The service's number. Wire: id, cm_artist, cm_artist_id",
    }),
    name: t.field({ type: 'String', description: 'Name. Wire: name', resolve: told('name') }),
    localName: t.field({
      type: 'String',
      description: 'Name in its own script. Wire: local_name',
      resolve: told('localName'),
    }),
    localNameLocale: t.field({
      type: 'String',
      description: 'Locale of that script. Wire: local_name_locale',
      resolve: told('localNameLocale'),
    }),
    isni: t.field({
      type: 'String',
      description: 'Standard name identifier. Wire: isni',
      resolve: told('isni'),
    }),
    description: t.field({
      type: 'String',
      description: 'Text about the artist. Wire: description',
      resolve: told('description'),
    }),
    countryCode: t.field({
      type: 'CountryCode',
      description: 'Country. Wire: code2',
      resolve: told('countryCode'),
    }),
    imageUrl: t.field({
      type: 'URL',
      description: 'Picture. Wire: image_url',
      resolve: told('imageUrl'),
    }),
    coverUrl: t.field({
      type: 'URL',
      description: 'Wide picture. Wire: cover_url',
      resolve: told('coverUrl'),
    }),
    isBand: t.field({
      type: 'Boolean',
      description: 'Whether it is a band. Wire: band',
      resolve: told('isBand'),
    }),
    bandMembers: t.field({
      type: 'String',
      description: 'Members, as written. Wire: band_members',
      resolve: told('bandMembers'),
    }),
    pronounTitle: t.field({
      type: 'String',
      description: 'Pronoun. Wire: pronoun_title',
      resolve: told('pronounTitle'),
    }),
    genderTitle: t.field({
      type: 'String',
      description: 'Gender, as shown. Wire: gender_title',
      resolve: told('genderTitle'),
    }),
    gender: t.field({
      type: 'String',
      description: 'Gender, as coded. Wire: gender',
      resolve: told('gender'),
    }),
    hometownCity: t.field({
      type: 'String',
      description: 'City of origin. Wire: hometown_city',
      resolve: told('hometownCity'),
    }),
    currentCity: t.field({
      type: 'String',
      description: 'City now. Wire: current_city',
      resolve: told('currentCity'),
    }),
    currentCityId: t.field({
      type: 'Int',
      description: 'Number of the city now. Wire: current_city_id',
      resolve: told('currentCityId'),
    }),
    bookingAgent: t.field({
      type: 'String',
      description: 'Booking agent. Wire: booking_agent',
      resolve: told('bookingAgent'),
    }),
    recordLabel: t.field({
      type: 'String',
      description: 'Record label. Wire: record_label',
      resolve: told('recordLabel'),
    }),
    pressContact: t.field({
      type: 'String',
      description: 'Press contact. Wire: press_contact',
      resolve: told('pressContact'),
    }),
    generalManager: t.field({
      type: 'String',
      description: 'General manager. Wire: general_manager',
      resolve: told('generalManager'),
    }),
    topSongwriterCollaborators: t.field({
      type: ['String'],
      description: 'Songwriters it works with most. Wire: topSongwriterCollaborators',
      resolve: told('topSongwriterCollaborators'),
    }),
    genres: t.field({
      type: ArtistGenres,
      description: 'Genres by weight. Wire: genres',
      resolve: told('genres'),
    }),
    genreSmartOrdered: t.field({
      type: [Genre],
      description:
        'Genres, most fitting first, named where `genres` names them. Wire: genre_smart_ordered',
      resolve: told('genreSmartOrdered'),
    }),
    moods: t.field({
      type: [Descriptor],
      description: 'Moods. Wire: moods',
      resolve: told('moods'),
    }),
    activities: t.field({
      type: [Descriptor],
      description: 'Activities that the music suits. Wire: activities',
      resolve: told('activities'),
    }),
    rank: t.field({
      type: 'Int',
      description: 'Rank among all artists, 1 is best. Wire: cm_artist_rank',
      resolve: told('rank'),
    }),
    score: t.field({
      type: 'Float',
      description: 'Score of the service. Wire: cm_artist_score',
      resolve: told('score'),
    }),
    genreRank: t.field({
      type: GenreRank,
      description: 'Rank in its genre. Wire: genreRank',
      resolve: told('genreRank'),
    }),
    subGenreRank1: t.field({
      type: GenreRank,
      description: 'Rank in its first sub-genre. Wire: subGenreRank1',
      resolve: told('subGenreRank1'),
    }),
    subGenreRank2: t.field({
      type: GenreRank,
      description: 'Rank in its second sub-genre. Wire: subGenreRank2',
      resolve: told('subGenreRank2'),
    }),
    careerStatus: t.field({
      type: CareerStatus,
      description: 'Stage and trend of the career. Wire: career_status',
      resolve: told('careerStatus'),
    }),
    statistics: t.field({
      type: ArtistStatistics,
      description: 'Counters and ranks now. Wire: cm_statistics',
      resolve: told('statistics'),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the record was made. Wire: created_at',
      resolve: told('createdAt'),
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: wholly(additionalFields),
    }),
  }),
})
