import { createController } from './signal.ts'
import type { Clock } from './upstream/transport/send.ts'

/** Notices of a file system do not reach into every mounted folder; a look does. */
const BETWEEN_LOOKS = 2_000

/**
 * Hands on what an operator puts where a setting was read, with each look. It has to be there twice, so that half of a
 * file that is being written is none.
 */
export const watch = (
  read: () => Promise<string>,
  take: (text: string) => Promise<void>,
  clock: Clock,
) => {
  const over = createController()
  let last: string | undefined

  const look = async () => {
    // A file that is away for a moment is being replaced: what was configured stays.
    const text = (await read().catch(() => '')).trim()
    if (text !== '' && text === last) await take(text)
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
