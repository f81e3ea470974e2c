import type { Answer } from './answer.ts'
import { createMentions } from './mentions.ts'
import type { Shelf } from './shelf.ts'

/** What a row says of a thing: the name of the endpoint of its record, its id, and the row itself. */
export type Taught = readonly [of: string, id: number | string, row: object]

/** An answer that told, by its key and when it came: it is looked for where it is held, and not kept by what it told. */
type Lesson = Pick<Answer, 'key' | 'at'>

/** Whether an answer is good for whoever asks, by how it stands. */
export type Passes = (known: Pick<Answer, 'key' | 'at' | 'freshUntil'>) => boolean

/** A row that tells of a thing, and the answer that it stands in. */
export interface Told {
  readonly row: object
  readonly answer: Answer
}

/**
 * What the rows of answers teach about things that have records of their own. A fact is a pointer to a row in an answer,
 * never a copy: gone when its answer is.
 */
export interface Facts {
  learn(answer: Answer): void
  /** Looks through the rows that nobody has asked about yet. */
  read(): void
  /** The newest row that tells of a thing, or a column of it, in an answer that is held and passes. */
  about(of: string, id: number | string, passes: Passes, column?: string): Told | undefined
}

/** A mention, and its part of the key that is kept with it, also when its answer is gone: a track has a handful. */
const BYTES_OF_FACT = 400
/** Rows that are looked at for what they tell of a thing: a lineup tells a name, a chart more. */
const MOST_ROWS = 3
/** Answers whose rows are looked through when somebody asks, and no earlier. */
const MOST_UNREAD = 2000

const isTold = (row: object, column: string): boolean =>
  (Reflect.get(row, column) ?? undefined) !== undefined

/** Facts over a shelf, bounded in bytes. */
export const createFacts = (shelf: Shelf, maxBytes: number): Facts => {
  const heldOf = ({ key, at }: Lesson): Answer | undefined => {
    const answer = shelf.peek(key)
    return answer?.at === at ? answer : undefined
  }

  const mentions = createMentions(Math.ceil(maxBytes / BYTES_OF_FACT), heldOf)
  let unread: Lesson[] = []

  const note = (lesson: Lesson, { endpoint, args, content }: Answer): void => {
    const { value } = content
    const places = endpoint.teaching?.places(value) ?? 0
    for (let place = 0; place < places; place++)
      for (const [of, id] of endpoint.teaching?.at(value, place, args) ?? [])
        mentions.add(of, id, lesson, place)
  }

  const read = (): void => {
    const lessons = unread
    unread = []
    for (const lesson of lessons) {
      const answer = heldOf(lesson)
      if (answer !== undefined) note(lesson, answer)
    }
  }

  return {
    learn(answer) {
      const { key, at, endpoint } = answer
      if (endpoint.teaching === undefined) return
      const lesson = { key, at }
      if (answer.class !== 'window') note(lesson, answer)
      else if (unread.push(lesson) > MOST_UNREAD) read()
    },
    read,
    about(of, id, passes, column) {
      if (unread.length > 0) read()
      for (const { place, held } of mentions.of(of, id, MOST_ROWS, passes)) {
        const { endpoint, args, content } = held
        const taught = endpoint.teaching?.at(content.value, place, args) ?? []
        for (const [ofIt, its, row] of taught)
          if (ofIt === of && `${its}` === `${id}` && (column === undefined || isTold(row, column)))
            return { row, answer: held }
      }
      return undefined
    },
  }
}
