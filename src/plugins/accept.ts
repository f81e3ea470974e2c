import type { Plugin } from 'graphql-yoga'
import { placeOf, type Taken, takenIn } from './weight.ts'

/** What an answer may be sent as; where all are alike to a client, the first. */
export const TYPES: readonly string[] = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'multipart/mixed',
]

const isReadable = ({ params }: Taken): boolean =>
  !params.some((param) => /^charset=(?!"?utf-?8"?$)/.test(param))

/**
 * Of these types the one that an `Accept` weighs most (RFC 9110, 12.5.1): a type's weight is that of the closest range,
 * and of equals the one goes first whose range does. Undefined where it takes none of them.
 */
export const weighed = (accept: string, types: readonly string[]): string | undefined => {
  const list = takenIn(accept).filter(isReadable)
  const places = types.map((type) => {
    const place = placeOf(list, [type, `${type.split('/')[0]}/*`, '*/*']) ?? list.length
    return { type, place, weight: list[place]?.weight ?? 0 }
  })
  const [first] = places
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
  return first?.type
}

/**
 * The server takes types in the order in which they are written; where they have weights, only the heaviest is left. Who
 * takes none that is given is told so in plain words, before anything is spent on an answer.
 */
export const useAccept = (): Plugin => ({
  onRequest({ request: { method, headers }, fetchAPI, endResponse }) {
    const accept = headers.get('accept')
    // What a browser asks before it sends a request is no answer of that kind.
    if (!accept || method === 'OPTIONS') return
    const type = weighed(accept, TYPES)
    if (type === undefined)
      endResponse(
        new fetchAPI.Response(
          `An answer comes as one of these, and Accept takes none: ${TYPES.join(', ')}\n`,
          { status: 406, headers: { 'content-type': 'text/plain; charset=utf-8' } },
        ),
      )
    else if (accept.includes(';')) headers.set('accept', type)
  },
})
