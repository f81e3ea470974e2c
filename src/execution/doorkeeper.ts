import { hashOf } from '../hash.ts'

/** Places for hashes; a newer one takes the place of another. */
const PLACES = 4_096
/** What tells one key from the next stands at its end. */
const TAIL = 48

/**
 * Tells whether a key came before, as far as a few thousand hashes remember: what is asked once is not worth keeping.
 * One that is taken for another is kept too early, which does no harm.
 */
export const createDoorkeeper = () => {
  const hashes = new Int32Array(PLACES)
  return (key: string): boolean => {
    const hash = hashOf(key, Math.max(0, key.length - TAIL)) ^ key.length
    const place = (hash >>> 0) % PLACES
    const isKnown = hashes[place] === hash
    hashes[place] = hash
    return isKnown
  }
}
