import type { Plugin } from 'graphql-yoga'

/** A range of types as a client names it, with its weight. */
interface Range {
  readonly name: string
  readonly weight: number
}

/** What an answer may be sent as; where all are alike to a client, the first. */
export const TYPES: readonly string[] = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'multipart/mixed',
]

const rangeOf = (text: string): Range => {
  const [name = '', ...params] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = params.find((param) => param.startsWith('q='))?.slice(2) ?? '1'
  const isOther = params.some((param) => /^charset=(?!"?utf-?8"?$)/.test(param))
  return { name, weight: isOther || !/^[01](\.\d{0,3})?$/.test(weight) ? 0 : Number(weight) }
}

/**
 * Of these types the one that an `Accept` weighs most (RFC 9110, 12.5.1): a type's weight is that of the closest range,
 * and of equals the one goes first whose range does. Undefined where it takes none of them.
 */
export const weighed = (accept: string, types: readonly string[]): string | undefined => {
  const ranges = accept.split(',').map(rangeOf)
  const places = types.map((type) => {
    const names = [type, `${type.split('/')[0]}/*`, '*/*']
    const at = names.map((name) => ranges.findIndex((range) => range.name === name))
    const place = at.find((index) => index >= 0) ?? ranges.length
    return { type, place, weight: ranges[place]?.weight ?? 0 }
  })
  const [first] = places
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
  return first?.type
}

/** The server takes types in the order in which they are written; where they have weights, only the heaviest is left. */
export const useAccept = (): Plugin => ({
  onRequest({ request: { headers } }) {
    const accept = headers.get('accept')
    if (accept === null || !/;\s*q=/i.test(accept)) return
    // Where none is taken, what is not weighed decides between an answer and a 406.
    const type = weighed(accept, TYPES)
    if (type !== undefined) headers.set('accept', type)
  },
})
