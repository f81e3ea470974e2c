import { minutes } from '../calendar.ts'
import { row } from '../decode.ts'
import { listing } from '../endpoint.ts'
import { rowsEnvelope } from '../envelopes.ts'
import { array, bool, type Kind, oneOf, query } from '../params.ts'
import { float, text } from '../values.ts'
import { searchParams } from './search.ts'

export const SUGGESTION_PLATFORM = {
  CM: 'cm',
  ACR: 'acr',
  PLAT_A: 'platA',
  PLAT_B: 'platB',
  PLAT_C: 'platC',
  PLAT_E: 'platE',
  PLAT_H: 'platH',
  PLAT_I: 'platI',
  PLAT_J: 'platJ',
  PLAT_K: 'platK',
} as const

const suggestion = row({
  target: ['target', text],
  matchStrength: ['match_strength', float],
} as const)

/** A suggestion of the beta engine. */
export type SuggestionRow = NonNullable<ReturnType<typeof suggestion>>

/** `obj` = { suggestions }, as clients have seen it, or the bare list that the specification speaks of. */
const suggestionList = rowsEnvelope(
  '{ suggestions }',
  (list) => ({ obj: { suggestions: list } }),
  /^suggestions$/,
)

const always: Kind = { ...bool, doc: 'true', check: (value) => (value === true ? true : undefined) }

/** The second engine of the search route. */
export const suggestions = listing({
  name: 'suggestions',
  doc: 'Suggestions of the beta engine, one flat list.',
  route: 'GET /api/search',
  params: {
    ...searchParams,
    beta: query('beta', always, { initial: true }),
    platforms: array('platforms', oneOf(SUGGESTION_PLATFORM)),
  },
  envelope: suggestionList,
  row: suggestion,
  end: 'short',
  windows: [100],
  freshFor: minutes(10),
})
