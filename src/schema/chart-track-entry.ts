import type { ObjectRef } from '@pothos/core'
import { known } from '../loaders/entity.ts'
import { additionalFields, type Telling } from '../upstream/decode.ts'
import { NAMED_ALBUM } from '../upstream/endpoints/album.ts'
import type { Place } from '../upstream/endpoints/chart.ts'
import {
  ARTIST_TOLD,
  type Base,
  creditedTrack,
  type Recording,
} from '../upstream/endpoints/chart-recording.ts'
import { Album } from './album.ts'
import { AlbumCredit, albumsOf } from './album-credit.ts'
import { Artist } from './artist.ts'
import { ArtistCredit, artistsOf } from './artist-credit.ts'
import { builder } from './builder.ts'
import { ChartEntry } from './chart-entry.ts'
import { ChartRowArrays } from './chart-row-arrays.ts'
import { spending } from './spends.ts'
import { Track } from './track.ts'

/** Gives the track of a row that tells so much of it. */
export const trackOf = ({ tells, mostlyTells }: Telling) =>
  spending({ tells, mostlyTells }, ({ track }: Recording) => track && known(track.cmId, track))

export const TrackChartEntry = builder
  .interfaceRef<Place & Recording>('TrackChartEntry')
  .implement({
    description: "A track's place on a chart.",
    interfaces: [ChartEntry],
    fields: (t) => ({
      rowId: t.expose('rowId', {
        type: 'ID',
        description: "The service's id of the row. Wire: id",
      }),
      name: t.expose('name', { type: 'String', description: 'Title. Wire: name' }),
      isrc: t.expose('isrc', { type: 'String', description: 'Recording code. Wire: isrc' }),
      imageUrl: t.expose('imageUrl', { type: 'URL', description: 'Picture. Wire: image_url' }),
      track: t.field({
        type: Track,
        description: 'The track, null when unmatched. Wire: cm_track',
        resolve: trackOf(creditedTrack),
      }),
      artistCredits: t.field({
        type: [ArtistCredit],
        nullable: false,
        description:
          'Every credited name, in order. Wire: artist_names with cm_artist, code2s, artist_images, artist_covers',
        resolve: ({ artistCredits }) => artistCredits.named,
      }),
      artists: t.field({
        type: [Artist],
        nullable: false,
        description: 'Artists that the service matched. Wire: cm_artist',
        resolve: spending({ mostlyTells: ARTIST_TOLD }, ({ artistCredits }: Recording) =>
          artistsOf(artistCredits.matched),
        ),
      }),
      albumCredits: t.field({
        type: [AlbumCredit],
        nullable: false,
        description:
          'Every named album. Wire: album_names with album_ids, album_upc, album_label, release_dates',
        resolve: ({ albumCredits }) => albumCredits.named,
      }),
      albums: t.field({
        type: [Album],
        nullable: false,
        description: 'Albums with an id. Wire: album_ids',
        resolve: spending({ mostlyTells: NAMED_ALBUM }, ({ albumCredits }: Recording) =>
          albumsOf(albumCredits.matched),
        ),
      }),
      arrays: t.field({
        type: ChartRowArrays,
        nullable: false,
        description: "The row's arrays as they came.",
        resolve: (row) => row,
      }),
      additionalFields: t.field({
        type: 'JSON',
        description: 'Members not named here; null for none.',
        resolve: additionalFields,
      }),
    }),
  })

/** The fields of the charts whose rows have the common base. */
export const addBase = (ref: ObjectRef<typeof builder.$inferSchemaTypes, Base>) =>
  builder.objectFields(ref, (t) => ({
    description: t.expose('description', {
      type: 'String',
      description: 'Text about the track. Wire: description',
    }),
    tags: t.expose('tags', {
      type: ['String'],
      nullable: false,
      description: 'Tags; comma-separated on the wire. Wire: tags',
    }),
    platADurationMs: t.expose('platADurationMs', {
      type: 'Int',
      description: 'Length on platA, milliseconds. Wire: platA_duration_ms',
    }),
    platBDuration: t.expose('platBDuration', {
      type: 'Int',
      description: 'Length on platB, as written. Wire: platB_duration',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the record was made. Wire: created_at',
    }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      description: 'When it last changed. Wire: modified_at',
    }),
  }))
