import { mix } from './dice.ts'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
type Noun = 'artist' | 'track' | 'album'
const NOUNS: readonly Noun[] = ['artist', 'track', 'album']

/** Ids that other platforms have for an entity. */
export const outsideId = {
  /** 22 letters and digits; the first ten hold the id, so that it can be read back. */
  platA(noun: Noun, id: number): string {
    const head = `${NOUNS.indexOf(noun)}${String(id).padStart(9, '0')}`
    let h = mix(id + 1)
    let tail = ''
    while (tail.length < 12) {
      h = mix(h + 1)
      tail += LETTERS[h % LETTERS.length]
    }
    return head + tail
  },
  platB: (noun: Noun, id: number): number => (NOUNS.indexOf(noun) + 1) * 10_000_000 + id,
  platC: (noun: Noun, id: number): string =>
    `B0${NOUNS.indexOf(noun)}S${String(id).padStart(6, '0')}`,
  platD: (id: number): string => String(6_900_000_000_000_000_000n + BigInt(id)),
  platH: (noun: Noun, id: number): number => 1_600_000_000 + NOUNS.indexOf(noun) * 1_000_000 + id,
}

/** The entity that a platA address stands for; any query behind it does not matter. */
export const fromOutsideUrl = (text: string): { noun: Noun; id: number } | undefined => {
  const match =
    /^https:\/\/open\.plata\.example\.invalid\/(artist|track|album)\/(\w{22})(?:[?#].*)?$/.exec(
      text,
    )
  const noun = NOUNS.find((one) => one === match?.[1])
  const id = Number(match?.[2]?.slice(1, 10))
  return noun !== undefined && match?.[2] === outsideId.platA(noun, id) ? { noun, id } : undefined
}
