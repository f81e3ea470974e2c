import { hours } from '../calendar.ts'
import type { Reader } from '../decode.ts'
import { resource } from '../endpoint.ts'
import { anything, isObject } from '../envelopes.ts'
import { openParams } from '../open-params.ts'
import { matching, type Param, path } from '../params.ts'
import { json } from '../values.ts'
import { artistId } from './artist.ts'
import { trackId } from './track.ts'
import { textId } from './venue.ts'

type Params = Readonly<Record<string, Param>>

const costly = (
  name: string,
  route: `GET /${string}`,
  doc: string,
  params: Params,
  read: Reader<unknown> = json,
) =>
  resource({
    name,
    doc,
    route,
    params: { ...params, params: openParams },
    credits: 2,
    envelope: anything,
    read,
    nothing: null,
    freshFor: hours(24),
  })

const ofArtist = (
  name: string,
  rest: string,
  doc: string,
  more: Params = {},
  read?: Reader<unknown>,
) =>
  costly(name, `GET /api/artist/{id}/${rest}`, doc, { cmId: path('id', artistId), ...more }, read)
const ofTrack = (name: string, rest: string, doc: string) =>
  costly(name, `GET /api/track/{id}/${rest}`, doc, { cmId: path('id', trackId) })

/** Places by kind; a kind without any comes as null, `[]` or `{}`, and goes out as an empty list. */
const placesByKind: Reader<unknown> = (value, reading) => {
  const kinds = json(value, reading)
  if (!isObject(kinds)) return kinds
  const isNone = (places: unknown) =>
    places === null || (isObject(places) && Object.keys(places).length === 0)
  const empty = ['cities', 'countries'].filter((kind) => kind in kinds && isNone(kinds[kind]))
  return { ...kinds, ...Object.fromEntries(empty.map((kind) => [kind, []])) }
}

const word = matching(/^[A-Za-z0-9_-]{1,32}$/, '1 to 32 letters, digits, - and _')

/** The endpoints of 2 credits: neither their parameters nor their payloads are documented. */
export const premium = {
  artistPlatNAudienceStats: ofArtist(
    'artistPlatNAudienceStats',
    'platN-audience-stats',
    'Audience of an artist on platN.',
  ),
  artistPlatNAudienceStatsDates: ofArtist(
    'artistPlatNAudienceStatsDates',
    'platN-audience-stats/dates',
    'Days of which the platN audience is known.',
  ),
  artistSocialAudienceStats: ofArtist(
    'artistSocialAudienceStats',
    'social-audience-stats',
    'Audience of an artist on social platforms.',
  ),
  artistPlatDAudienceStats: ofArtist(
    'artistPlatDAudienceStats',
    'platD-audience-stats',
    'Audience of an artist on platD.',
  ),
  artistPlatDInfluencerStats: ofArtist(
    'artistPlatDInfluencerStats',
    'platD-influencer-stats',
    'Influencers of an artist on platD, counted.',
  ),
  artistPlatDTopInfluencers: ofArtist(
    'artistPlatDTopInfluencers',
    'platD-top-influencers',
    'Greatest influencers of an artist on platD.',
  ),
  artistPlatDTopVideos: ofArtist(
    'artistPlatDTopVideos',
    'platD-top-videos',
    'Most seen videos of an artist on platD.',
  ),
  artistWherePeopleListen: ofArtist(
    'artistWherePeopleListen',
    'where-people-listen',
    'Where people listen to an artist.',
    {},
    placesByKind,
  ),
  artistPlatJAudienceStats: ofArtist(
    'artistPlatJAudienceStats',
    'platJ-audience-stats',
    'Audience of an artist on platJ.',
  ),
  artistPlaylists: ofArtist(
    'artistPlaylists',
    '{platform}/{status}/playlists',
    'Playlists of a platform that hold an artist.',
    { platform: path('platform', word), status: path('status', word) },
  ),
  brandAudience: costly(
    'brandAudience',
    'GET /api/brand/v2/{brandId}/audience',
    'Audience of a brand.',
    { cmId: path('brandId', textId) },
  ),
  trackPlatDInfluencerStats: ofTrack(
    'trackPlatDInfluencerStats',
    'platD-influencer-stats',
    'Influencers of a track on platD, counted.',
  ),
  trackPlatDTopInfluencers: ofTrack(
    'trackPlatDTopInfluencers',
    'platD-top-influencers',
    'Greatest influencers of a track on platD.',
  ),
  trackPlatDTopSounds: ofTrack(
    'trackPlatDTopSounds',
    'platD-top-sounds',
    'Most used sounds of a track on platD.',
  ),
  trackTopVideos: ofTrack('trackTopVideos', 'topVideos', 'Most seen videos with a track.'),
}
