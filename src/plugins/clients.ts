import type { Plugin } from 'graphql-yoga'
import type { Callers } from '../clients/caller.ts'
import { GatewayError } from '../errors.ts'
import { refused } from './errors.ts'

export const unknownClient = () =>
  new GatewayError(
    'UNAUTHENTICATED',
    'no client is known by what was sent: send its key as Authorization: Bearer or as X-Api-Key',
  )
const REFUSED = { status: 401, headers: { 'www-authenticate': 'Bearer' } }

/** Turns away whoever is no client, before anything of the request is read. */
export const useClients = (callers: Callers): Plugin => ({
  async onRequestParse({ request: { method, headers } }) {
    // What a browser asks before it sends a key comes without one.
    if (method === 'OPTIONS') return
    try {
      await callers.admit(headers)
    } catch (failure) {
      if (!(failure instanceof GatewayError)) throw failure
      const retryAfter = String(failure.facts.retryAfter ?? 1)
      throw refused(failure, { status: 503, headers: { 'retry-after': retryAfter } })
    }
    if (callers.of(headers) !== undefined) return
    throw refused(unknownClient(), REFUSED)
  },
})
