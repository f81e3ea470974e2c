import { type Secret, secret } from './secret.ts'

/** What is wrong with the text of a refresh token, in the words of a fault; whitespace around it is none of it. */
export const seedFault = (text: string): string | undefined =>
  /\p{Cc}/u.test(text.trim())
    ? 'expected a token in one line, got one with a line break or the like'
    : undefined

/** Takes over what is put in place of a configured token; what would be a fault at the start is told, once, and left. */
export const createReseeding = (
  reseed: (seed: Secret) => Promise<void>,
  warn: (fault: string) => void,
) => {
  let left: string | undefined
  return async (text: string): Promise<void> => {
    const fault = seedFault(text)
    if (fault !== undefined && text !== left) warn(`${fault}: the one before is kept`)
    left = fault && text
    if (fault === undefined) return reseed(secret(text))
  }
}
