import { type Known, known } from '../loaders/entity.ts'
import { type ArtistPart, type ArtistRecord, namedArtist } from '../upstream/endpoints/artist.ts'
import { Artist } from './artist.ts'
import { builder } from './builder.ts'
import { spending } from './spends.ts'

/** The artists among some credits: those that the service matched. */
export const artistsOf = (credits: readonly ArtistPart[]) => {
  const artists: Known<ArtistRecord>[] = []
  for (const credit of credits)
    if (typeof credit.cmId === 'number') artists.push(known(credit.cmId, credit))
  return artists
}

export const ArtistCredit = builder.objectRef<ArtistPart>('ArtistCredit').implement({
  description: 'An artist as a row credits it.',
  fields: (t) => ({
    name: t.expose('name', { type: 'String', description: 'Name. Wire: artist_names, name' }),
    imageUrl: t.expose('imageUrl', {
      type: 'URL',
      description: 'Picture. Wire: artist_images, image_url',
    }),
    coverUrl: t.expose('coverUrl', {
      type: 'URL',
      description: 'Wide picture. Wire: artist_covers',
    }),
    countryCode: t.expose('countryCode', {
      type: 'CountryCode',
      description: 'Country. Wire: code2s, code2',
    }),
    artist: t.field({
      type: Artist,
      description: 'The artist, null where the service matched none. Wire: cm_artist, id',
      resolve: spending(
        { mostlyTells: namedArtist.columns },
        (credit: ArtistPart) => artistsOf([credit])[0],
      ),
    }),
  }),
})
