import { hash, timingSafeEqual } from 'node:crypto'
import { type DocumentNode, visit } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { bearerOf, type RequestHeaders } from '../clients/caller.ts'
import { GatewayError } from '../errors.ts'
import { memo } from '../memo.ts'
import type { Secret } from '../upstream/token/secret.ts'
import { refusal } from './errors.ts'

const digest = (text: string) => hash('sha256', text, 'buffer')

const ROUTERS_ONLY = ['_entities', '_service']

const isForRouters = (document: DocumentNode): boolean => {
  let found = false
  visit(document, {
    Field({ name }) {
      found ||= ROUTERS_ONLY.includes(name.value)
    },
  })
  return found
}

/** Tells the router from everybody else; without a secret everybody may ask what routers ask. */
export const createRouter = (secrets: readonly Secret[]) => {
  const digests = secrets.map((secret) => digest(secret.reveal()))
  const isTheirs = memo(isForRouters)
  const sent = (headers: RequestHeaders): boolean => {
    const bearer = digests.length === 0 ? undefined : bearerOf(headers)
    if (bearer === undefined) return false
    const given = digest(bearer)
    return digests.some((known) => timingSafeEqual(known, given))
  }
  return {
    sent,
    /** Whether a document is closed to whoever sent it. */
    isClosed(document: DocumentNode, headers: RequestHeaders): boolean {
      if (digests.length === 0) return false
      return isTheirs(document) && !sent(headers)
    },
  }
}

export type Router = ReturnType<typeof createRouter>

/** Keeps what only routers ask from everybody else, where routers have a secret. */
export const useRouter = (router: Router): Plugin<YogaInitialContext> => {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      if (!router.isClosed(args.document, args.contextValue.request.headers)) return
      const error = new GatewayError(
        'UNAUTHENTICATED',
        `${ROUTERS_ONLY.join(' and ')} are for the router: send Authorization: Bearer with its secret`,
      )
      setResultAndStopExecution(
        refusal(error, { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
      )
    },
  }
}
