import { createController } from '../../signal.ts'
import type { Clock } from '../transport/send.ts'
import { secret } from './secret.ts'
import type { Token } from './token.ts'

/** Notices of a file system do not reach into every mounted folder; a look does. */
const BETWEEN_LOOKS = 2_000

/**
 * Takes over a new refresh token that an operator puts where the configured one was read. It has to
 * be there twice, so that half of a file that is being written is none.
 */
export const watchSeed = (read: () => Promise<string>, token: Token, clock: Clock) => {
  const over = createController()
  let last: string | undefined

  const look = async () => {
    // A file that is away for a moment is being replaced: what was configured stays.
    const text = (await read().catch(() => '')).trim()
    if (text !== '' && text === last) await token.reseed(secret(text))
    last = text
  }
  const looking = async () => {
    while (!over.signal.aborted) {
      await look()
      await clock.sleep(BETWEEN_LOOKS, over.signal)
    }
  }
  void looking()
  return { close: () => over.abort() }
}
