import type { Dice } from './dice.ts'
import type { Cities, City } from './place.ts'
import { SIZE } from './size.ts'
import { ADJECTIVES, HALL_WORDS, NOUNS } from './words.ts'

const CAPACITIES = {
  stadium: [25_000, 90_000],
  arena: [8_000, 22_000],
  amphitheater: [3_000, 18_000],
  festival: [5_000, 120_000],
  theater: [600, 4_000],
  concert_hall: [400, 3_000],
  club: [80, 1_500],
} as const
export type VenueType = keyof typeof CAPACITIES
const TYPES = Object.keys(CAPACITIES) as VenueType[]

/** What is the same about a venue in every payload that names it; ids from 1. */
export interface Venues {
  exists(id: number): boolean
  name(id: number): string
  type(id: number): VenueType
  capacity(id: number): number
  city(id: number): City
  image(id: number): string
  url(id: number): string
  place(id: number): { lat: number; lng: number }
}

export const createVenues = (dice: Dice, cities: Cities): Venues => {
  const type = (id: number): VenueType => dice.pick('venue type', id, TYPES)
  const city = (id: number): City => cities.draw('venue city', id)
  return {
    exists: (id) => Number.isInteger(id) && id >= 1 && id <= SIZE.venues,
    name: (id) =>
      `${dice.pick('venue adjective', id, ADJECTIVES)} ${dice.pick('venue noun', id, NOUNS)} ${HALL_WORDS[type(id)]}`,
    type,
    capacity(id) {
      const [low, high] = CAPACITIES[type(id)]
      return dice.int('venue capacity', id, low, high)
    },
    city,
    image: (id) => `https://img.example.invalid/venue/${id}.jpg`,
    url: (id) => `https://venue-${id}.example.invalid/`,
    place(id) {
      const { lat, lng } = city(id)
      const near = (noun: string, value: number) =>
        Math.round((value + dice.roll(noun, id) * 0.2 - 0.1) * 1e4) / 1e4
      return { lat: near('venue lat', lat), lng: near('venue lng', lng) }
    },
  }
}
