import { inspect } from 'node:util'

/** A text that no print, log or JSON shows. */
export interface Secret {
  /** The text itself; called where it goes on the wire or to disk, and nowhere else. */
  reveal(): string
  /**
   * A body of JSON without it, however a string of it is escaped: no number is changed, nor a longer one in a string.
   * One of fewer than 8 letters is let stand: it is no token of a service, and would blot out words.
   */
  outOf(body: string): string
}

const MASK = '[secret]'
const SHORTEST = 8
/** Letters by which a body is known to need a closer look: a whole token may be too long for a pattern. */
const MOST_SOUGHT = 64

/** The number of a letter in hex, in small digits or large ones. */
const codeOf = (letter: string): string =>
  letter
    .charCodeAt(0)
    .toString(16)
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** A letter as a text has it, or an address in one. */
const literal = (letter: string): string =>
  /\w/.test(letter) ? letter : `(?:\\${letter}|%${codeOf(letter)})`

/** The same as JSON may write it. */
const written = (letter: string): string =>
  `(?:${/\w/.test(letter) ? '' : '\\\\?'}${literal(letter)}|\\\\u00${codeOf(letter)})`

const STRING_OR_REST = /"(?:[^"\\]+|\\.)*"?|[^"]+/g

/** How a text is taken out of bodies; as cheap as a plain search where it is not in them. */
const createErasure = (text: string) => {
  const sought = new RegExp([...text.slice(0, MOST_SOUGHT)].map(written).join(''))
  const isFigure = /^\d+$/.test(text)
  const whole = [...text].map(literal).join('')
  const exact = new RegExp(isFigure ? `(?<!\\d[.,]?)${whole}(?![.,]?\\d)` : whole, 'g')
  const erased = (plain: string) => plain.replace(exact, MASK)
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
    return body.replace(STRING_OR_REST, (part) => {
      if (part.startsWith('"')) return erasedString(part)
      return isFigure ? part : erased(part)
    })
  }
}

export const secret = (text: string): Secret => {
  const hidden = { toString: () => MASK, toJSON: () => MASK, [inspect.custom]: () => MASK }
  let erasure: ReturnType<typeof createErasure> | undefined
  return Object.freeze({
    ...hidden,
    reveal: () => text,
    outOf(body: string): string {
      if (text.length < SHORTEST) return body
      erasure ??= createErasure(text)
      return erasure(body)
    },
  })
}
