import { createHash, timingSafeEqual } from 'node:crypto'
import { type DocumentNode, visit } from 'graphql'
import type { Plugin, YogaInitialContext } from 'graphql-yoga'
import { GatewayError } from '../errors.ts'
import type { RequestHeaders } from '../execution/execution.ts'
import type { Secret } from '../upstream/token/secret.ts'
import { refusal } from './errors.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Tells the router from everybody else. */
export const createRouter = (secrets: readonly Secret[]) => {
  const digests = secrets.map((secret) => digest(secret.reveal()))
  return {
    /** Whether there is a secret at all. */
    isSecret: digests.length > 0,
    sent(headers: RequestHeaders): boolean {
      const [, bearer = ''] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
      const given = digest(bearer)
      return digests.some((known) => timingSafeEqual(known, given))
    },
  }
}

export type Router = ReturnType<typeof createRouter>

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

/** Keeps what only routers ask from everybody else, where routers have a secret. */
export const useRouter = (router: Router): Plugin<YogaInitialContext> => {
  const seen = new WeakMap<DocumentNode, boolean>()
  return {
    onExecute({ args, setResultAndStopExecution }) {
      if (!router.isSecret) return
      const isTheirs = seen.get(args.document) ?? isForRouters(args.document)
      seen.set(args.document, isTheirs)
      if (!isTheirs || router.sent(args.contextValue.request.headers)) return
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
