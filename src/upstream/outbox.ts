import type { Link } from '../redis/link.ts'
import type { Clock } from './transport/send.ts'

/** Something that Redis is to be told. */
export interface Letter {
  /** Rejects where it was not told. */
  send(isAgain: boolean): Promise<unknown>
  /** That it holds while it is not told. */
  readonly bytes: number
}

/** Milliseconds; after that nobody waits for it any more. */
const OF_USE = 10_000
const MOST_BYTES = 16_000_000

/**
 * What Redis could not be told is told as soon as it answers again, one after the other and in order: it may only have
 * been the way of this process that hung, and others wait for it.
 */
export const createOutbox = (link: Link, clock: Clock) => {
  const untold: { readonly letter: Letter; readonly until: number }[] = []
  let bytes = 0
  let isTelling = false

  const take = () => {
    const first = untold.shift()
    bytes -= first?.letter.bytes ?? 0
    return first
  }
  const keep = (letter: Letter, until: number) => {
    untold.push({ letter, until })
    bytes += letter.bytes
    const isPast = (first?: { readonly until: number }) =>
      first !== undefined && (first.until < clock.now() || bytes > MOST_BYTES)
    while (isPast(untold[0])) take()
  }

  const tellAgain = async () => {
    if (isTelling) return
    isTelling = true
    const failed: typeof untold = []
    for (let next = take(); next !== undefined; next = take()) {
      const { letter, until } = next
      if (clock.now() < until) await letter.send(true).catch(() => failed.push({ letter, until }))
    }
    isTelling = false
    for (const { letter, until } of failed) keep(letter, until)
  }
  link.onUp(() => void tellAgain())

  return {
    /** Resolves once it is told, or has to wait. */
    async tell(letter: Letter): Promise<void> {
      const until = clock.now() + OF_USE
      if (isTelling) keep(letter, until)
      else await letter.send(false).catch(() => keep(letter, until))
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>
