import { ANONYMOUS, RIGHTS, ROUTER } from './client.ts'
import type { Member, Roll } from './roll.ts'

/** The headers of a request, by their names in lower case. */
export interface RequestHeaders {
  get(name: string): string | null
}

/** Who sent a request: the client that it is counted for, and whether it came by way of the router. */
export interface Caller extends Member {
  readonly isRouter: boolean
}

/** Tells whose a token is, once it was checked. */
export interface Tokens {
  /** The name in a token that was found good; undefined for any other. */
  nameOf(token: string): string | undefined
  /** Checks a token that was not seen before; throws where nobody can tell. */
  check(token: string): Promise<void>
}

export interface CallersParts {
  readonly roll: Roll
  readonly tokens: Tokens | undefined
  /** Whether nobody has to say who asks. */
  readonly isOpen: boolean
  /** Whether the router sent this. */
  isRouter(headers: RequestHeaders): boolean
}

/** Longer ones are nobody's, and are not looked at. */
const LONGEST_KEY = 8_192

const FREE = { premium: true, documentsOnly: false, reports: true }
const ANYBODY: Caller = {
  client: { name: ANONYMOUS, ...FREE },
  mark: ANONYMOUS,
  budgets: [],
  isRouter: false,
}
const THE_ROUTER: Member = { client: { name: ROUTER, ...FREE }, mark: ROUTER, budgets: [] }

/** What follows Bearer in a request. */
export const bearerOf = (headers: RequestHeaders): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** Tells who sent a request, by its headers. */
export const createCallers = ({ roll, tokens, isOpen, isRouter }: CallersParts) => {
  const known = new WeakMap<RequestHeaders, Caller>()

  /** What a request shows of the client that it is counted for: the router's own secret is none of it. */
  const shownIn = (headers: RequestHeaders, fromRouter: boolean): string | undefined => {
    const shown = headers.get('x-api-key') ?? (fromRouter ? undefined : bearerOf(headers))
    return shown !== undefined && shown.length <= LONGEST_KEY ? shown : undefined
  }

  const byToken = (token: string): Member | undefined => {
    const name = tokens?.nameOf(token)
    if (name === undefined) return undefined
    return roll.named(name) ?? { client: { name, ...RIGHTS }, mark: `token ${name}`, budgets: [] }
  }

  const find = (headers: RequestHeaders, fromRouter: boolean): Member | undefined => {
    if (isOpen) return fromRouter ? THE_ROUTER : ANYBODY
    const shown = shownIn(headers, fromRouter)
    if (shown !== undefined) return roll.ofKey(shown) ?? byToken(shown)
    return fromRouter && headers.get('x-api-key') === null ? THE_ROUTER : undefined
  }

  return {
    /** Undefined for whoever has no key that is known. */
    of(headers: RequestHeaders): Caller | undefined {
      if (isOpen && headers.get('authorization') === null) return ANYBODY
      const before = known.get(headers)
      if (before !== undefined) return before
      const fromRouter = isRouter(headers)
      const member = find(headers, fromRouter)
      if (member === undefined) return undefined
      const caller = { isRouter: fromRouter, ...member }
      known.set(headers, caller)
      return caller
    },
    /** Checks what takes time to check, so that `of` knows it. */
    async admit(headers: RequestHeaders): Promise<void> {
      if (isOpen || tokens === undefined) return
      const shown = shownIn(headers, isRouter(headers))
      if (shown === undefined || roll.ofKey(shown) !== undefined) return
      if (tokens.nameOf(shown) === undefined) await tokens.check(shown)
    },
  }
}

export type Callers = ReturnType<typeof createCallers>
