import { LRUCache } from 'lru-cache'
import type { Answer } from './answer.ts'
import type { Request } from './request.ts'
import type { Shelf } from './shelf.ts'

/** What a row says of a thing: the name of the endpoint of its record, its id, and the row itself. */
export type Taught = readonly [of: string, id: number | string, row: object]

/** A pointer to a row in an answer, never a copy: gone when its answer is. */
interface Fact {
  readonly key: string
  readonly at: number
  readonly row: WeakRef<object>
}

/** A row that tells of a thing, and the answer that it stands in. */
export interface Told {
  readonly row: object
  readonly answer: Answer
}

/** What the rows of answers teach about things that have records of their own. */
export interface Facts {
  learn(request: Request, answer: Answer): void
  /** Rows that tell of a thing, newest first, as long as their answers are held. `peek` makes none younger. */
  about(of: string, id: number | string, look?: 'get' | 'peek'): readonly Told[]
}

/** A pointer to a row with its place among the others, and the name of its thing. */
const BYTES_OF_FACT = 250
const BYTES_OF_THING = 150
/** Rows remembered of one thing: a lineup tells a name, a chart more. */
const MOST_ROWS = 3
/** Answers whose rows are looked through when somebody asks, and no earlier. */
const MOST_UNREAD = 2000

/** Facts over a shelf, bounded in bytes. */
export const createFacts = (shelf: Shelf, maxBytes: number): Facts => {
  const facts = new LRUCache<string, readonly Fact[]>({
    maxSize: Math.ceil(maxBytes),
    sizeCalculation: (rows) => BYTES_OF_THING + BYTES_OF_FACT * rows.length,
  })
  let unread: { readonly request: Request; readonly bought: WeakRef<Answer> }[] = []

  const add = (key: string, fact: Fact): void => {
    const known = (facts.get(key) ?? []).filter((other) => other.key !== fact.key)
    facts.set(key, [fact, ...known].slice(0, MOST_ROWS))
  }

  const read = (): void => {
    const answers = unread
    unread = []
    for (const { request, bought } of answers) {
      const answer = bought.deref()
      if (answer === undefined) continue
      for (const [of, id, row] of request.endpoint.teaches(answer.value, request.args))
        add(`${of}:${id}`, { key: answer.key, at: answer.at, row: new WeakRef(row) })
    }
  }

  return {
    learn(request, answer) {
      if (request.endpoint.teaches === nothing) return
      unread.push({ request, bought: new WeakRef(answer) })
      if (unread.length > MOST_UNREAD) read()
    },
    about(of, id, look = 'get') {
      if (unread.length > 0) read()
      return (facts[look](`${of}:${id}`) ?? []).flatMap(({ key, at, row }) => {
        const answer = shelf.peek(key)
        const held = row.deref()
        return answer?.at === at && held !== undefined ? [{ row: held, answer }] : []
      })
    },
  }
}

/** An endpoint whose answers teach nothing of other things. */
export const nothing = (): readonly Taught[] => []
