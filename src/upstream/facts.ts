import { LRUCache } from 'lru-cache'
import type { Answer, Standing } from './answer.ts'
import type { Request } from './request.ts'
import type { Shelf } from './shelf.ts'

/** What a row says of a thing: the name of the endpoint of its record, its id, and the row itself. */
export type Taught = readonly [of: string, id: number | string, row: object]

/** The answer that taught. */
interface Lesson extends Pick<Answer, 'key' | 'at'> {
  readonly request: Request
}

/** A pointer to a row in an answer, never a copy: gone when its answer is, and found again when that was closed. */
interface Fact {
  readonly lesson: Lesson
  row?: WeakRef<object>
}

/** Whether an answer is good for whoever asks, by how it stands. */
export type Passes = (standing: Pick<Standing, 'at' | 'freshUntil'>) => boolean

/** `peek` makes nothing younger. */
type Look = 'get' | 'peek'

/** A row that tells of a thing, and the answer that it stands in. */
export interface Told {
  readonly row: object
  readonly answer: Answer
}

/** What the rows of answers teach about things that have records of their own. */
export interface Facts {
  learn(request: Request, answer: Answer): void
  /** Looks through the rows that nobody has asked about yet. */
  read(): void
  /** The newest row that tells of a thing, or a column of it, in an answer that is held and passes. */
  about(
    of: string,
    id: number | string,
    passes: Passes,
    column?: string,
    look?: Look,
  ): Told | undefined
}

/** A pointer to a row with its place among the others, and the name of its thing. */
const BYTES_OF_FACT = 250
const BYTES_OF_THING = 150
/** Rows remembered of one thing: a lineup tells a name, a chart more. */
const MOST_ROWS = 3
/** Answers whose rows are looked through when somebody asks, and no earlier. */
const MOST_UNREAD = 2000

const isTold = (row: object, column: string): boolean =>
  (Reflect.get(row, column) ?? undefined) !== undefined

/** Facts over a shelf, bounded in bytes. */
export const createFacts = (shelf: Shelf, maxBytes: number): Facts => {
  const facts = new LRUCache<string, readonly Fact[]>({
    maxSize: Math.ceil(maxBytes),
    sizeCalculation: (rows) => BYTES_OF_THING + BYTES_OF_FACT * rows.length,
  })
  let unread: { readonly request: Request; readonly bought: WeakRef<Answer> }[] = []

  const lessonOf = (request: Request, { key, at }: Answer): Lesson => ({ request, key, at })

  const add = (thing: string, fact: Fact): void => {
    const known = facts.get(thing) ?? []
    const others = known.filter(({ lesson }) => lesson.key !== fact.lesson.key)
    const all = [fact, ...others].sort((one, other) => other.lesson.at - one.lesson.at)
    facts.set(thing, all.slice(0, MOST_ROWS))
  }

  const taught = function* ({ request }: Lesson, { content }: Answer): Iterable<[string, object]> {
    for (const [of, id, row] of request.endpoint.teaches(content.value, request.args))
      yield [`${of}:${id}`, row]
  }

  /** Finds the rows of an answer that was closed since it taught, or since somebody asked. */
  const point = (lesson: Lesson, answer: Answer): void => {
    for (const [thing, row] of taught(lesson, answer))
      for (const fact of facts.peek(thing) ?? [])
        if (fact.lesson === lesson) fact.row = new WeakRef(row)
  }

  const rowOf = (fact: Fact, answer: Answer): object | undefined => {
    const row = fact.row?.deref()
    if (row !== undefined) return row
    point(fact.lesson, answer)
    return fact.row?.deref()
  }

  const read = (): void => {
    const answers = unread
    unread = []
    for (const { request, bought } of answers) {
      const answer = bought.deref()
      if (answer === undefined) continue
      const lesson = lessonOf(request, answer)
      for (const [thing, row] of taught(lesson, answer))
        add(thing, { lesson, row: new WeakRef(row) })
    }
  }

  return {
    learn(request, answer) {
      if (request.endpoint.teaches === nothing) return
      if (answer.class === 'window') {
        unread.push({ request, bought: new WeakRef(answer) })
        if (unread.length > MOST_UNREAD) read()
        return
      }
      const lesson = lessonOf(request, answer)
      for (const [thing] of taught(lesson, answer)) add(thing, { lesson })
    },
    read,
    about(of, id, passes, column, look = 'get') {
      if (unread.length > 0) read()
      for (const fact of facts[look](`${of}:${id}`) ?? []) {
        const { lesson } = fact
        const answer = shelf.peek(lesson.key)
        if (answer?.at !== lesson.at || !passes(answer)) continue
        const row = rowOf(fact, answer)
        if (row !== undefined && (column === undefined || isTold(row, column)))
          return { row, answer }
      }
      return undefined
    },
  }
}

/** An endpoint whose answers teach nothing of other things. */
export const nothing = (): readonly Taught[] => []
