import { setTimeout as wait } from 'node:timers/promises'
import { createDice } from './dice.ts'
import { HOT, many, type Question, questionOf } from './question.ts'
import type { Watch } from './watch.ts'

const CLIENTS = 12
/** Prices of operations with twelve calls each, as many as 32 MB hold and more. */
const PRICES = 3_000
const MOST_TRIES = 20
const MOST_THOUGHT_MS = 500
/** How long an operation may take, and what a busy machine adds to it. */
export const DEADLINE_MS = 5_000
const LATE_MS = DEADLINE_MS + 1_000
/** What a machine that is too busy makes of an operation that nothing else stands in the way of. */
const OF_STRAIN: readonly string[] = ['OVERLOADED', 'TIMEOUT']

interface Said {
  readonly data?: unknown
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly (string | number)[]
    readonly extensions?: { readonly code?: string }
  }[]
  readonly extensions?: {
    readonly credits?: {
      readonly spent: number
      readonly saved: number
      readonly stale?: unknown[]
    }
  }
}

/** What clients may be told at present. */
export interface Expected {
  readonly codes: readonly string[]
  /** What is held is not given in place of what the service says. */
  readonly overrules: boolean
}

/** Clients of all sorts, who ask, and judge what they are told. */
export const createTraffic = (url: string, seed: number, watch: Watch) => {
  const first = new Map<string, string>()
  let expected: Expected = { codes: [], overrules: false }
  let asking: Promise<unknown>[] = []
  let running = false

  const judge = (question: Question, said: Said, at: Expected) => {
    const { kind, query, codes = [] } = question
    for (const { message, path = [], extensions } of said.errors ?? []) {
      const code = extensions?.code ?? 'none'
      watch.count(`error ${code}`)
      const isForeseen = codes.includes(code) || (at.codes.includes(code) && kind !== 'hot')
      const isOverruled = kind === 'hot' && at.overrules && at.codes.includes(code)
      if (isForeseen || isOverruled) continue
      const tell = OF_STRAIN.includes(code) ? watch.doubt : watch.breach
      tell(`${kind} failed at ${path.join('.')} with ${code}: ${message}`, query)
    }
    if (kind !== 'hot' || said.errors !== undefined || at.overrules) return
    const told = JSON.stringify(said.data)
    const before = first.get(query) ?? told
    first.set(query, before)
    if (told !== before) watch.breach(`hot told ${told} where it was ${before}`, query)
  }

  const ask = async (question: Question): Promise<Said | undefined> => {
    const at = expected
    const began = performance.now()
    try {
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...question.headers,
        },
        body: JSON.stringify({ query: question.query }),
        ...(question.leaves === undefined ? {} : { signal: AbortSignal.timeout(question.leaves) }),
      })
      const said: Said = await answer.json()
      watch.answered(question.kind, performance.now() - began)
      const took = Math.round(performance.now() - began)
      if (took > LATE_MS) watch.doubt(`${question.kind} took ${took} ms`, question.query)
      const { spent = 0, saved = 0, stale = [] } = said.extensions?.credits ?? {}
      watch.told(spent, saved, stale.length)
      judge(question, said, at)
      return said
    } catch (failure) {
      if (question.leaves === undefined)
        watch.breach(`${question.kind} was not answered: ${failure}`, question.query)
      else watch.count('clients that left')
      return undefined
    }
  }

  const client = async (number: number, turn: number) => {
    const dice = createDice(seed + number * 7_919 + turn * 104_729)
    while (running) {
      let question: Question | undefined = questionOf(dice)
      while (question !== undefined && running) {
        const said = await ask(question)
        question = said === undefined ? undefined : question.next?.(said.data)
      }
      await wait(dice.int(0, MOST_THOUGHT_MS))
    }
  }

  return {
    /** Until each is answered: who was too busy for one, answers it in a moment. */
    async askHot(headers: Readonly<Record<string, string>> = {}) {
      for (const query of HOT)
        for (let tries = 0; tries < MOST_TRIES; tries += 1) {
          const said = await ask({ kind: 'hot', query, headers })
          if (said?.errors === undefined) break
          await wait(1_000)
        }
    },
    /** Asks for more prices than are kept, so that what grows later does not grow by them. */
    async fill() {
      const dice = createDice(seed)
      const headers = { 'x-credits-plan': 'only' }
      for (let left = PRICES; left > 0; left -= CLIENTS)
        await Promise.all(
          Array.from({ length: CLIENTS }, () => ask({ kind: 'price', query: many(dice), headers })),
        )
    },
    expect(next: Expected) {
      expected = next
    },
    start(turn: number) {
      running = true
      asking = Array.from({ length: CLIENTS }, (_, number) => client(number, turn))
    },
    /** Every question is answered. */
    async stop() {
      running = false
      await Promise.all(asking)
    },
  }
}
