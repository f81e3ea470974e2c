import type { Page, Today } from '../page.ts'
import { GENRES } from '../world/genre.ts'
import type { Hit } from '../world/name-index.ts'
import { fromOutsideUrl } from '../world/outside.ts'
import { COUNTRIES } from '../world/place.ts'
import type { World } from '../world.ts'
import { festivalRows } from './festival.ts'
import { createFindables, type Findable, KINDS, type Kind } from './findable.ts'

interface SearchAsk extends Today {
  readonly q: string
  readonly type?: Kind | 'all'
  readonly triggerCitiesOnly?: boolean
  readonly platforms?: readonly string[]
  readonly offset: number
  readonly limit: number
}

/** The labels of the best known artists, each once. */
const labelsOf = ({ artists }: World): { name: string }[] => {
  const ids = Array.from({ length: 600 }, (_, i) => artists.byRank(i + 1))
  return [...new Set(ids.map(artists.label))].map((name) => ({ name }))
}

/** `GET /api/search`, both engines: a part of the name in any letter case, or the platA address of one entity. */
export const searchRows = (world: World) => {
  const findables = createFindables(world)
  const festivals = festivalRows(world)
  let knownLabels: { name: string }[] | undefined
  const labels = () => {
    knownLabels ??= labelsOf(world)
    return knownLabels
  }

  const hits = (findable: Findable, { q, triggerCitiesOnly }: SearchAsk): Hit[] => {
    const address = fromOutsideUrl(q)
    const known =
      address !== undefined &&
      (address.noun === 'artist' ? world.artists : world[`${address.noun}s`]).exists(address.id)
    if (known) return findable.kind === `${address.noun}s` ? [{ id: address.id, strength: 1 }] : []
    const found = findable.find(q)
    return findable.kind === 'cities' && triggerCitiesOnly === true
      ? found.filter(({ id }) => world.cities.of(id)?.trigger_city)
      : found
  }

  const page = (findable: Findable, ask: SearchAsk): object[] =>
    hits(findable, ask)
      .slice(ask.offset, ask.offset + ask.limit)
      .map(({ id }) => findable.row(id))

  const bucket = (kind: Kind, ask: SearchAsk): unknown => {
    const own = findables.filter((findable) => findable.kind === kind)
    return kind === 'playlists' || kind === 'curators'
      ? Object.fromEntries(own.map((findable) => [findable.platform, page(findable, ask)]))
      : own.flatMap((findable) => page(findable, ask))
  }

  return {
    search(ask: SearchAsk): object {
      if (ask.type !== undefined && ask.type !== 'all') return { [ask.type]: bucket(ask.type, ask) }
      const q = ask.q.toLowerCase()
      const named = <T extends { readonly name: string }>(list: readonly T[]): T[] =>
        list
          .filter(({ name }) => name.toLowerCase().includes(q))
          .slice(ask.offset, ask.offset + ask.limit)
      return {
        ...Object.fromEntries(KINDS.map((kind) => [kind, bucket(kind, ask)])),
        labels: named(labels()),
        countries: named(COUNTRIES),
        genres: named(GENRES),
        festivals: festivals.festivals({ ...ask, name: ask.q }).rows,
      }
    },

    /** The beta engine: one flat list, best match first. */
    suggestions(ask: SearchAsk): Page {
      const all = findables
        .filter(({ kind }) => ask.type === undefined || ask.type === 'all' || ask.type === kind)
        .filter(({ platform }) => ask.platforms?.includes(platform) ?? true)
        .flatMap((findable) =>
          hits(findable, ask)
            .slice(0, ask.offset + ask.limit)
            .map(({ id, strength }, i) => ({ findable, id, strength: strength - i / 10_000 })),
        )
        .toSorted((a, b) => b.strength - a.strength)
      const rows = all
        .slice(ask.offset, ask.offset + ask.limit)
        .map(({ findable, id, strength }) => ({
          ...findable.row(id),
          platform: findable.platform,
          target: findable.kind === 'cities' ? 'city' : findable.kind.slice(0, -1),
          match_strength: Math.round(strength * 1e4) / 1e4,
        }))
      return { rows, total: all.length }
    },
  }
}
