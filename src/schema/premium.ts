import type { Endpoint } from '../upstream/endpoint.ts'
import { premium } from '../upstream/endpoints/premium.ts'
import { request } from '../upstream/request.ts'
import { answering } from './answering.ts'
import { Artist } from './artist.ts'
import { builder } from './builder.ts'
import type { forward } from './connection.ts'
import { purely } from './spends.ts'
import { Track } from './track.ts'

interface Premium {
  readonly cmId: number | string
}

/** What a premium endpoint gives for its parent; nothing where the service takes no such id (artist 1). */
export const payload = (endpoint: Endpoint) =>
  answering(({ cmId }: Premium, args: object) =>
    endpoint.params.cmId?.kind.check(cmId) === undefined
      ? null
      : request(endpoint, { ...args, cmId }),
  )

type ArgBuilder = Parameters<typeof forward>[0]

/** The open door for parameters. */
export const openDoor = (arg: ArgBuilder) => ({
  params: arg({ type: 'JSON', description: 'Query parameters.' }),
})

/** A field of a premium endpoint. */
const payloadOf = (arg: ArgBuilder, endpoint: Endpoint) => ({
  type: 'JSON' as const,
  description: `2 credits, payload as it came. Wire: ${endpoint.route}`,
  args: openDoor(arg),
  resolve: payload(endpoint),
})

const ArtistPremium = builder.objectRef<Premium>('ArtistPremium').implement({
  description:
    'Premium answers about an artist: 2 credits each, payload as it came. `params`: a flat object of at most 20 scalars or lists.',
  fields: (t) => ({
    platNAudienceStats: t.field(payloadOf(t.arg, premium.artistPlatNAudienceStats)),
    platNAudienceStatsDates: t.field(payloadOf(t.arg, premium.artistPlatNAudienceStatsDates)),
    socialAudienceStats: t.field(payloadOf(t.arg, premium.artistSocialAudienceStats)),
    platDAudienceStats: t.field(payloadOf(t.arg, premium.artistPlatDAudienceStats)),
    platDInfluencerStats: t.field(payloadOf(t.arg, premium.artistPlatDInfluencerStats)),
    platDTopInfluencers: t.field(payloadOf(t.arg, premium.artistPlatDTopInfluencers)),
    platDTopVideos: t.field(payloadOf(t.arg, premium.artistPlatDTopVideos)),
    wherePeopleListen: t.field(payloadOf(t.arg, premium.artistWherePeopleListen)),
    platJAudienceStats: t.field(payloadOf(t.arg, premium.artistPlatJAudienceStats)),
    playlists: t.field({
      ...payloadOf(t.arg, premium.artistPlaylists),
      args: {
        platform: t.arg.string({
          required: true,
          description: 'Platform; letters a-z, digits, - and _.',
        }),
        status: t.arg.string({
          required: true,
          description: 'Status; letters a-z, digits, - and _.',
        }),
        ...openDoor(t.arg),
      },
    }),
  }),
})

const TrackPremium = builder.objectRef<Premium>('TrackPremium').implement({
  description:
    'Premium answers about a track: 2 credits each, payload as it came. `params` as in ArtistPremium.',
  fields: (t) => ({
    platDInfluencerStats: t.field(payloadOf(t.arg, premium.trackPlatDInfluencerStats)),
    platDTopInfluencers: t.field(payloadOf(t.arg, premium.trackPlatDTopInfluencers)),
    platDTopSounds: t.field(payloadOf(t.arg, premium.trackPlatDTopSounds)),
    topVideos: t.field(payloadOf(t.arg, premium.trackTopVideos)),
  }),
})

const COSTLY = 'Answers that cost 2 credits each.'

builder.objectField(Artist, 'premium', (t) =>
  t.field({
    type: ArtistPremium,
    nullable: false,
    description: COSTLY,
    resolve: purely(({ cmId }: Premium) => ({ cmId })),
  }),
)
builder.objectField(Track, 'premium', (t) =>
  t.field({
    type: TrackPremium,
    nullable: false,
    description: COSTLY,
    resolve: purely(({ cmId }: Premium) => ({ cmId })),
  }),
)
