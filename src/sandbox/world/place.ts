import type { Dice } from './dice.ts'

/** Countries where the sandbox has anything, the largest markets first. */
export const COUNTRIES = Object.entries({
  US: 'United States',
  GB: 'United Kingdom',
  DE: 'Germany',
  BR: 'Brazil',
  FR: 'France',
  JP: 'Japan',
  MX: 'Mexico',
  CA: 'Canada',
  AU: 'Australia',
  ES: 'Spain',
  IT: 'Italy',
  NL: 'Netherlands',
  SE: 'Sweden',
  KR: 'South Korea',
  IN: 'India',
  AR: 'Argentina',
  PL: 'Poland',
  TR: 'Türkiye',
  NO: 'Norway',
  IE: 'Ireland',
  NG: 'Nigeria',
  ZA: 'South Africa',
  CO: 'Colombia',
  CL: 'Chile',
  PT: 'Portugal',
  FI: 'Finland',
  DK: 'Denmark',
  BE: 'Belgium',
  AT: 'Austria',
  CH: 'Switzerland',
  CZ: 'Czechia',
  IS: 'Iceland',
  NZ: 'New Zealand',
  ID: 'Indonesia',
  PH: 'Philippines',
  EG: 'Egypt',
  IL: 'Israel',
  TW: 'Taiwan',
}).map(([code2, name]) => ({ code2, name }))

export interface City {
  readonly id: number
  readonly name: string
  readonly name_ascii: string
  readonly population: number
  readonly country: string
  readonly code2: string
  readonly province: string | null
  readonly trigger_city: boolean
  readonly lat: number
  readonly lng: number
}

const HEADS =
  'West East Salt Grey Sól Óra Møn Łaz Vår Çal Ñan Öst Val Harr Kest Brim Dorn Fenn Gull Hollow Iron Linden Quarry Wick'.split(
    ' ',
  )
const TAILS =
  'harbour vik ford bridge mouth stad burgo ville haven field gate moor mere hampton stow ley wald dorf port dal'.split(
    ' ',
  )
const ascii = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('Ł', 'L')

/** The lower its place in a list, the likelier an entry. */
const leaning = <T>(dice: Dice, noun: string, id: number, list: readonly T[], turn = 0): T => {
  const found = list[Math.floor(dice.roll(noun, id, turn) ** 1.8 * list.length)]
  if (found === undefined) throw new RangeError(`nothing to pick for ${noun} ${id}`)
  return found
}

export interface Cities {
  /** Every city, largest first; ids 1 to 480 in another order. */
  readonly all: readonly City[]
  of(id: number): City | undefined
  inCountry(code2: string): readonly City[]
  /** A city by lot, rather a large one. */
  draw(noun: string, id: number, turn?: number): City
}

export const createCities = (dice: Dice): Cities => {
  const byId = TAILS.flatMap((tail, j) =>
    HEADS.map((head, i): City => {
      const id = j * HEADS.length + i + 1
      const name = `${head}${tail}`
      const country = leaning(dice, 'city country', id, COUNTRIES)
      return {
        id,
        name,
        name_ascii: ascii(name),
        population: Math.round(2e7 * dice.roll('city population', id) ** 6) + 20_000,
        country: country.name,
        code2: country.code2,
        province: dice.chance('city province', id, 0.6) ? `${head}shire` : null,
        trigger_city: dice.chance('city trigger', id, 0.2),
        lat: dice.int('city lat', id, -4000, 6500) / 100,
        lng: dice.int('city lng', id, -12000, 15000) / 100,
      }
    }),
  )
  const all = byId.toSorted((a, b) => b.population - a.population)
  return {
    all,
    of: (id) => byId[id - 1],
    inCountry: (code2) => all.filter((city) => city.code2 === code2),
    draw: (noun, id, turn) => leaning(dice, noun, id, all, turn),
  }
}
