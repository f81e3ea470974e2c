import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { isFlat, MOST_LEVELS } from '../depth.ts'
import { GatewayError } from '../errors.ts'
import { refused } from './errors.ts'

const JSON_ONLY = /^application\/(json|graphql\+json)\s*(;|,|$)/i

/** Whether a body of this type and coding is JSON as it stands: what clients of GraphQL send. */
export const isPlain = (type: string | undefined, coding = 'identity'): boolean =>
  coding === 'identity' && (type === 'application/json' || JSON_ONLY.test(type ?? ''))

const isJson = (text: string | null): boolean => {
  try {
    return text === null || text === '' || JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

/**
 * Takes bodies that are plain JSON and no other: a page of another site can send the rest without asking, and a packed
 * body hides its size. What is JSON within an address must be so too, and none of it deeper than anything is read.
 */
export const useForm = (): Plugin<YogaInitialContext> => ({
  onRequestParse({ request: { method, headers }, url }) {
    if (method === 'GET')
      for (const name of ['variables', 'extensions'])
        if (!isJson(url.searchParams.get(name)))
          throw refused(
            new GatewayError('BAD_USER_INPUT', `${name} must be JSON`, { argument: name }),
            { status: 400 },
          )
    if (method !== 'POST') {
      // What others bring along is not read, however long it is.
      headers.delete('content-length')
      return
    }
    const named = (name: string) => headers.get(name) ?? undefined
    if (isPlain(named('content-type'), named('content-encoding'))) return
    throw refused(
      new GatewayError(
        'BAD_USER_INPUT',
        'a POST is read as JSON only: send the header Content-Type: application/json, and no Content-Encoding',
      ),
      { status: 415, headers: { accept: 'application/json' } },
    )
  },
  // Not before its form is known to be that of a request: of what is none, nobody asks how deep it is.
  onParse({ context: { params } }) {
    if (isFlat(params)) return
    throw refused(
      new GatewayError('BAD_USER_INPUT', `at most ${MOST_LEVELS} levels of a request are read`),
    )
  },
})
