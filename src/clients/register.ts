import { counted } from '../count.ts'
import type { ErrorCode } from '../errors.ts'

/** Refusals that are between a client and whoever runs the gateway. */
export const REFUSALS = [
  'FORBIDDEN',
  'CREDIT_LIMIT_EXCEEDED',
  'CREDIT_BUDGET_EXHAUSTED',
] as const satisfies readonly ErrorCode[]
export type Refusal = (typeof REFUSALS)[number]

export interface Asked {
  readonly client: string
  readonly count: number
}

export interface Refused extends Asked {
  readonly code: Refusal
}

const BETWEEN_LINES = 60_000
/** Clients by a token may be any number: past this many, the rest is one line. */
const MOST_CLIENTS = 100
const OTHERS = 'others'

/** Says something once a minute at most: how often it was so since the last time, and a word of the last. */
const createLine = (now: () => number, say: (count: number, word: string) => void) => {
  let count = 0
  let told = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    get count() {
      return count
    },
    note(word: string): void {
      count += 1
      if (now() - toldAt < BETWEEN_LINES) return
      say(count - told, word)
      told = count
      toldAt = now()
    },
  }
}

/** How often each client asked, what it was refused, and who was turned away: whoever guesses keys, or keeps asking, is not to fill the log. */
export const createRegister = (now: () => number, warn: (text: string) => void) => {
  const strangers = createLine(now, (count, address) => {
    const last = address === '' ? '' : `, the last from ${address}`
    warn(`Turned away: ${counted(count, 'request')} without the key of a client${last}`)
  })
  const pages = new Map<string, ReturnType<typeof createPage>>()

  const createPage = (client: string) => ({
    client,
    operations: 0,
    refused: new Map<Refusal, number>(),
    withoutRight: createLine(now, (count, why) =>
      warn(
        `Client ${client} was refused a right in ${counted(count, 'request')}, the last: ${why}`,
      ),
    ),
  })

  const pageOf = (client: string) => {
    const known = pages.get(client) ?? (pages.size < MOST_CLIENTS ? undefined : pages.get(OTHERS))
    if (known !== undefined) return known
    const page = createPage(pages.size < MOST_CLIENTS ? client : OTHERS)
    pages.set(page.client, page)
    return page
  }

  return {
    /** Requests of those who are no client. */
    get strangers() {
      return strangers.count
    },
    get operations(): readonly Asked[] {
      return [...pages.values()].map(({ client, operations: count }) => ({ client, count }))
    },
    get refused(): readonly Refused[] {
      return [...pages.values()].flatMap(({ client, refused }) =>
        [...refused].map(([code, count]) => ({ client, code, count })),
      )
    },
    /** An operation that is let run. */
    enter(client: string): void {
      pageOf(client).operations += 1
    },
    /** `address` is empty where it is not known. */
    turnAway(address: string): void {
      strangers.note(address)
    },
    /** `why` in words of ours: it is for the log. */
    refuse(client: string, code: Refusal, why: string): void {
      const { refused, withoutRight } = pageOf(client)
      refused.set(code, (refused.get(code) ?? 0) + 1)
      if (code === 'FORBIDDEN') withoutRight.note(why)
    },
  }
}

export type Register = ReturnType<typeof createRegister>
