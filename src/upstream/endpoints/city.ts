import { type RowOf, row } from '../decode.ts'
import { bool, count, country, id, text } from '../values.ts'

const cityTable = {
  cmId: ['id', id],
  name: ['name', text],
  nameAscii: ['name_ascii', text],
  population: ['population', count],
  country: ['country', text],
  countryCode: ['code2', country],
  province: ['province', text],
  isTriggerCity: ['trigger_city', bool],
} as const

/** A city as its parent names it. */
export interface City extends RowOf<typeof cityTable> {}
export const city = row(cityTable, 'cmId')
