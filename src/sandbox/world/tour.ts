import { dayOf } from './day.ts'
import type { Dice } from './dice.ts'
import { type Shuffle, shuffle } from './shuffle.ts'
import { SIZE } from './size.ts'

const ORIGIN = dayOf('2015-01-01')
/** Days of a slot: an artist headlines at most one venue in it, a venue holds at most one show. */
const SLOT = 14
/** Shows are known this many days ahead. */
const AHEAD = 180
const FIRST_VENUE = 1
const FIRST_ARTIST = 2

export interface Show {
  readonly id: number
  readonly venue: number
  readonly day: number
  readonly headliner: number
  readonly support: number | null
}

/** Who plays where and when: a lattice of slots and venues that is read from either side. Latest first. */
export interface Tour {
  /** Every show of a venue that is known today. */
  atVenue(venue: number, today: number): Generator<Show>
  /** An artist's shows between two days, both inclusive. */
  ofArtist(artist: number, from: number, to: number, today: number): Generator<Show>
}

const slotOf = (day: number): number => Math.floor((day - ORIGIN) / SLOT)

export const createTour = (dice: Dice): Tour => {
  const castings = new Map<string, Shuffle>()
  const casting = (role: 'headliner' | 'support', slot: number): Shuffle => {
    const key = `${role} ${slot}`
    const held = castings.get(key) ?? shuffle(SIZE.artists, dice.bits(role, slot))
    castings.set(key, held)
    return held
  }

  const showAt = (slot: number, venue: number): Show | undefined => {
    const id = slot * SIZE.venues + venue
    if (!dice.chance('show', id, 0.4)) return undefined
    const position = venue - FIRST_VENUE
    const headliner = casting('headliner', slot).at(position) + FIRST_ARTIST
    const support = casting('support', slot).at(position) + FIRST_ARTIST
    const hasSupport = support !== headliner && dice.chance('show support', id, 0.6)
    const day = ORIGIN + slot * SLOT + dice.int('show day', id, 0, SLOT - 1)
    return { id, venue, day, headliner, support: hasSupport ? support : null }
  }
  function* slots(from: number, to: number, today: number): Generator<number> {
    const last = slotOf(Math.min(to, today + AHEAD))
    for (let slot = last; slot >= Math.max(0, slotOf(from)); slot--) yield slot
  }

  return {
    *atVenue(venue, today) {
      for (const slot of slots(ORIGIN, today + AHEAD, today)) {
        const show = showAt(slot, venue)
        if (show !== undefined && show.day <= today + AHEAD) yield show
      }
    },
    *ofArtist(artist, from, to, today) {
      const until = Math.min(to, today + AHEAD)
      for (const slot of slots(from, to, today)) {
        const position = artist - FIRST_ARTIST
        const shows = (['headliner', 'support'] as const)
          .map((role) => casting(role, slot).of(position) + FIRST_VENUE)
          .filter((venue) => venue < FIRST_VENUE + SIZE.venues)
          .map((venue) => showAt(slot, venue))
          .filter((show) => show !== undefined)
          .filter((show) => show.headliner === artist || show.support === artist)
          .filter((show) => show.day >= from && show.day <= until)
        yield* shows.toSorted((a, b) => b.day - a.day)
      }
    },
  }
}
