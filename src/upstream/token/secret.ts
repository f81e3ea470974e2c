import { inspect } from 'node:util'
import type { Body } from '../transport/send.ts'
import { createErasing, MASK } from './erasing.ts'

/** A text that no print, log or JSON shows. */
export interface Secret {
  /** The text itself; called where it goes on the wire or to disk, and nowhere else. */
  reveal(): string
  /**
   * A body of JSON without it, however a string of it is escaped: no number is changed, nor a longer one in a string.
   * One of fewer than 8 letters is let stand: it is no token of a service, and would blot out words.
   */
  outOf(body: string): string
  /** Whether it may be in a body, at a look that is cheaper than its text; false is certain. */
  mayBeIn(body: Body): boolean
}

const SHORTEST = 8
/** Letters that are looked for at first: the engine takes no pattern of all those of a long token. */
const FIRST = 64

/** The number of a letter in hex, in small digits or large ones. */
const codeOf = (letter: string): string =>
  letter
    .charCodeAt(0)
    .toString(16)
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** A letter as JSON may write it, or an address in JSON. */
const written = (letter: string): string => {
  const code = codeOf(letter)
  const own = /\w/.test(letter) ? letter : `\\\\?(?:\\${letter}|%${code})`
  return `(?:${own}|\\\\u00${code})`
}

/** A loop over these and not one pattern for a whole string: the engine takes none of too many escapes. */
const ESCAPE_OR_QUOTE = /\\[\s\S]|"/g

/** Where the string that begins at a place ends: one without an end goes to the end. */
const behindString = (body: string, place: number): number => {
  ESCAPE_OR_QUOTE.lastIndex = place + 1
  for (let found = ESCAPE_OR_QUOTE.exec(body); found !== null; found = ESCAPE_OR_QUOTE.exec(body))
    if (found[0] === '"') return ESCAPE_OR_QUOTE.lastIndex
  return body.length
}

/** How a text is taken out of bodies; as cheap as a plain search where it is not in them. */
const createErasure = (text: string) => {
  const sought = new RegExp([...text.slice(0, FIRST)].map(written).join(''))
  const isFigure = /^\d+$/.test(text)
  const erased = createErasing(text)
  const erasedString = (string: string): string => {
    try {
      const said = String(JSON.parse(string))
      const told = erased(said)
      return told === said ? string : JSON.stringify(told)
    } catch {
      return erased(string)
    }
  }
  return (body: string): string => {
    if (!sought.test(body)) return body
    let told = ''
    for (let from = 0; ; ) {
      const quote = body.indexOf('"', from)
      const between = body.slice(from, quote < 0 ? body.length : quote)
      told += isFigure ? between : erased(between)
      if (quote < 0) return told
      from = behindString(body, quote)
      told += erasedString(body.slice(quote, from))
    }
  }
}

/** As JSON escapes letters that need no escape. */
const ESCAPE = Buffer.from('\\u00')

/** Letters of a text that stand in a body as they are, or escaped by their number; a few of them tell nothing. */
const plainRunOf = (text: string): Buffer | undefined => {
  const runs = (text.match(/[a-z0-9_]{6,}/gi) ?? []).sort((one, other) => other.length - one.length)
  return runs[0] === undefined ? undefined : Buffer.from(runs[0])
}

export const secret = (text: string): Secret => {
  const hidden = { toString: () => MASK, toJSON: () => MASK, [inspect.custom]: () => MASK }
  let erasure: ReturnType<typeof createErasure> | undefined
  const isToken = text.length >= SHORTEST
  const run = isToken ? plainRunOf(text) : undefined
  return Object.freeze({
    ...hidden,
    reveal: () => text,
    outOf(body: string): string {
      if (!isToken) return body
      erasure ??= createErasure(text)
      return erasure(body)
    },
    mayBeIn: ({ bytes }: Body) =>
      isToken &&
      (run === undefined || bytes === undefined || bytes.includes(run) || bytes.includes(ESCAPE)),
  })
}
