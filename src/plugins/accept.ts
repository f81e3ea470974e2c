import type { Plugin } from 'graphql-yoga'
import { placeOf, type Taken, takenIn } from './weight.ts'

/** For clients that could take an answer in parts. There is none in parts: one that takes these beside JSON has JSON. */
const STREAMS: readonly string[] = ['text/event-stream', 'multipart/mixed']
/** What an answer may be sent as; where all are alike to a client, the first. */
export const TYPES: readonly string[] = [
  'application/json',
  'application/graphql-response+json',
  ...STREAMS,
]

const isReadable = ({ params }: Taken): boolean =>
  !params.some((param) => /^charset=(?!"?utf-?8"?$)/.test(param))

/**
 * Of these types the one that an `Accept` weighs most (RFC 9110, 12.5.1): a type's weight is that of the closest range,
 * and of equals the one goes first whose range does, streams behind the rest. Undefined where it takes none of them.
 */
export const weighed = (accept: string, types: readonly string[]): string | undefined => {
  const list = takenIn(accept).filter(isReadable)
  const places = types.map((type) => {
    const place = placeOf(list, [type, `${type.split('/')[0]}/*`, '*/*']) ?? list.length
    const behind = STREAMS.includes(type) ? list.length : 0
    return { type, place: place + behind, weight: list[place]?.weight ?? 0 }
  })
  const [first] = places
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
  return first?.type
}

/**
 * Leaves of the types that a client takes the one that it is sent, since the server knows no weights. Who takes none that
 * is given is told so in plain words, before anything is spent on an answer.
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
          {
            status: 406,
            headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
          },
        ),
      )
    else if (accept !== type) headers.set('accept', type)
  },
  onResponse({ response: { headers } }) {
    // What the server says of a stream that is not packed is the name of no coding.
    if (headers.get('content-encoding') === 'none') headers.delete('content-encoding')
  },
})
