import { inspect } from 'node:util'

/** A text that no print, log or JSON shows. */
export interface Secret {
  /** The text itself; called where it goes on the wire or to disk, and nowhere else. */
  reveal(): string
}

const MASK = '[secret]'

export const secret = (text: string): Secret => {
  const hidden = { toString: () => MASK, toJSON: () => MASK, [inspect.custom]: () => MASK }
  return Object.freeze({ ...hidden, reveal: () => text })
}
