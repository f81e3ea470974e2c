import { LRUCache } from 'lru-cache'
import type { Answer } from './answer.ts'
import type { Request } from './request.ts'

const MOST_NAMES = 2_000

/** What lies under a key. */
type Held = (key: string) => Answer | undefined

/**
 * Which answers hold those to other requests of their endpoint. These are told for as long as the whole one is held, and
 * are as old as that; they lie nowhere themselves.
 */
export const createWholes = () => {
  /** The key of the whole one. */
  const byName = new LRUCache<string, string>({ max: MOST_NAMES })

  return {
    /** Takes in what an answer holds of others, or no more does. */
    learn<V>({ key, endpoint: { parts }, args, content }: Answer<V>): void {
      const names = parts?.namesIn(args) ?? []
      if (names.length === 0) return
      const isWhole = parts?.isWhole(content.value, args) === true
      for (const name of names)
        if (isWhole) byName.set(name, key)
        else if (byName.peek(name) === key) byName.delete(name)
    },
    /** The answer to a request, as the whole one tells it where that is held. */
    find<V>({ endpoint, args }: Request<V>, held: Held): Answer<V> | undefined {
      const name = endpoint.parts?.nameOf(args)
      const whole = name === undefined ? undefined : byName.get(name)
      // It is of the same endpoint, and so is what lies under its key.
      const found = whole === undefined ? whole : (held(whole) as Answer<V> | undefined)
      if (found === undefined || found.refusal !== undefined) return undefined
      const value = endpoint.parts?.cut(found.content.value, args)
      return value === undefined ? undefined : { ...found, content: { value } }
    },
  }
}
