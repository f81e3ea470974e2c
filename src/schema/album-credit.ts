import { known } from '../loaders/entity.ts'
import { type AlbumPart, NAMED_ALBUM } from '../upstream/endpoints/album.ts'
import { Album } from './album.ts'
import { builder } from './builder.ts'
import { spending } from './spends.ts'

/** The albums among some credits: those with a number. */
export const albumsOf = (credits: readonly AlbumPart[]) =>
  credits.flatMap((credit) => (typeof credit.cmId === 'number' ? [known(credit.cmId, credit)] : []))

export const AlbumCredit = builder
  .objectRef<AlbumPart & { readonly popularity?: number | null | undefined }>('AlbumCredit')
  .implement({
    description: 'An album as a row names it.',
    fields: (t) => ({
      name: t.expose('name', { type: 'String', description: 'Title. Wire: album_names, name' }),
      upc: t.expose('upc', { type: 'String', description: 'Product code. Wire: album_upc, upc' }),
      label: t.expose('label', { type: 'String', description: 'Label. Wire: album_label, label' }),
      releaseDate: t.expose('releaseDate', {
        type: 'Date',
        description: 'Day of release. Wire: release_dates, release_date',
      }),
      imageUrl: t.expose('imageUrl', {
        type: 'URL',
        description: 'Picture; only in track metadata. Wire: image_url',
      }),
      popularity: t.expose('popularity', {
        type: 'Int',
        description: 'Popularity; only in track metadata. Wire: popularity',
      }),
      album: t.field({
        type: Album,
        description: 'The album, null without an id. Wire: album_ids, id',
        resolve: spending(
          { mostlyTells: NAMED_ALBUM },
          (credit: AlbumPart) => albumsOf([credit])[0],
        ),
      }),
    }),
  })
