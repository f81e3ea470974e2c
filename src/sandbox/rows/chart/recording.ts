import { momentOf, stampOf } from '../../world/day.ts'
import { commaList, namesOf } from '../../world/genre.ts'
import { outsideId } from '../../world/outside.ts'
import type { World } from '../../world.ts'

/** What is wrong with a row now and then, always the same row of a chart in the same way. */
type Flaw =
  | 'none'
  | 'no track'
  | 'no artists'
  | 'one name more'
  | 'no album ids'
  | 'nothing matched'

const FLAWS: readonly [Flaw, number][] = [
  ['no track', 0.01],
  ['no artists', 0.01],
  ['one name more', 0.008],
  ['no album ids', 0.006],
  ['nothing matched', 0.003],
]

const STOREFRONTS = ['us', 'gb', 'de', 'fr', 'jp']

/** What chart rows of tracks share about the recording; `key` is the chart's. */
export const createRecordings = ({ albums, artists, dice, flawedRows, tracks }: World) => {
  const flawOf = (key: string, id: number): Flaw => {
    if (!flawedRows) return 'none'
    let left = dice.roll(`${key} flaw`, id)
    const found = FLAWS.find(([, share]) => {
      left -= share
      return left < 0
    })
    return found?.[0] ?? 'none'
  }

  /** Name, codes, artists and albums; those of a matched track are paired throughout, if `paired`. */
  const credits = (key: string, id: number, paired = false) => {
    const own = flawOf(key, id)
    const flaw = paired && own !== 'no track' && own !== 'nothing matched' ? 'none' : own
    const known = flaw !== 'nothing matched'
    const credited = known ? tracks.artists(id) : []
    const held = known ? tracks.albums(id) : []
    const guest = flaw === 'one name more' ? ['A Guest Without Number'] : []
    return {
      name: known ? tracks.name(id) : null,
      isrc: known ? tracks.isrc(id) : null,
      image_url: known ? tracks.image(id) : null,
      cm_track: known && flaw !== 'no track' ? id : null,
      cm_artist: flaw === 'no artists' ? [] : credited,
      artist_names: [...credited.map(artists.name), ...guest],
      code2s: credited.map(artists.code2),
      artist_images: credited.map(artists.image),
      artist_covers: credited.map(artists.cover),
      album_ids: flaw === 'no album ids' ? [] : held,
      album_names: held.map(albums.name),
      album_upc: held.map(albums.upc),
      album_label: held.map(albums.label),
      release_dates: held.map((album) => stampOf(albums.released(album))),
    }
  }

  /** The chart row base but for the place. */
  const base = (key: string, id: number) => {
    const credit = credits(key, id)
    const known = credit.name !== null
    const ids = <T>(list: readonly T[]): readonly T[] => (known ? list : [])
    const held = tracks.albums(id)
    const released = albums.released(albums.ofTrack(id))
    return {
      ...credit,
      description: dice.chance('chart description', id, 0.1)
        ? 'Invented for the Refrain sandbox.'
        : null,
      tags: known ? commaList(dice, 'track', id, namesOf(tracks.genres(id))) : null,
      platA_track_ids: ids([outsideId.platA('track', id)]),
      platA_album_ids: ids(held.map((album) => outsideId.platA('album', album))),
      platA_duration_ms: known ? tracks.duration(id) : null,
      platH_track_ids: ids([String(outsideId.platH('track', id))]),
      platH_album_ids: ids(held.map((album) => String(outsideId.platH('album', album)))),
      platH_artist_ids: credit.cm_artist.map((artist) => outsideId.platH('artist', artist)),
      platH_artist_names: credit.cm_artist.map(artists.name),
      storefronts: STOREFRONTS.slice(0, dice.int('track storefronts', id, 1, 5)),
      platB_track_ids: ids([String(outsideId.platB('track', id))]),
      platB_album_ids: ids(held.map((album) => outsideId.platB('album', album))),
      platB_duration: known ? Math.round(tracks.duration(id) / 1000) : null,
      platC_track_ids: ids([outsideId.platC('track', id)]),
      platC_album_ids: ids(held.map((album) => outsideId.platC('album', album))),
      created_at: momentOf(released, dice.int('track created', id, 0, 86_399)),
      modified_at: momentOf(released + 30, dice.int('track modified', id, 0, 86_399)),
    }
  }
  return { credits, base }
}
export type Recordings = ReturnType<typeof createRecordings>
