import { randomUUID } from 'node:crypto'
import type { Link } from '../redis/link.ts'
import { createController, type Signal } from '../signal.ts'
import type { Bookkeeper, Books, BooksParts } from './books.ts'
import { sumOf } from './figures.ts'
import { MOST_BYTES, read, write } from './telling.ts'

const BETWEEN_TELLINGS = 10_000
const BETWEEN_LOOKS = 1_000
/** What has not changed is told again before it is forgotten. */
const LONGEST_SILENCE = 3_600_000
/** Seconds; what a process spent that has ended is counted for a day. */
const KEPT_FOR = 86_400
/** The last to tell; what begins anew again and again does not fill what all of them read. */
const MOST_KEPT = 64

const CLOCK = `local now = redis.call('TIME')[1]`
const TELL = `${CLOCK}
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then redis.call('DEL', KEYS[1]) end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${KEPT_FOR})
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${MOST_KEPT + 1})
redis.call('EXPIRE', KEYS[1], ${KEPT_FOR})
redis.call('SET', KEYS[2], ARGV[2], 'EX', ${KEPT_FOR})`
/** It has the index leave out what is of no moment. */
const FORGET = `
if redis.call('TYPE', KEYS[1]).ok == 'zset' then
  redis.call('ZADD', KEYS[1], 0, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', 0)
end
redis.call('DEL', KEYS[2])`
const HAS = `return redis.call('EXISTS', KEYS[1])`
const LIST = `${CLOCK}
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then return {} end
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ${KEPT_FOR}, '+inf')`
const FIND = `
if redis.call('TYPE', KEYS[1]).ok ~= 'string' then return nil end
return redis.call('STRLEN', KEYS[1]) <= ${MOST_BYTES} and redis.call('GET', KEYS[1]) or nil`

export interface FleetBooksParts extends BooksParts {
  readonly sleep: (ms: number, signal: Signal) => Promise<void>
}

/**
 * Each replica writes its book down for the others every ten seconds, whole, so that what is lost comes with the next. One
 * that does not find its own there knows that Redis has lost everything.
 */
export const createFleetBooks = (link: Link, { name, own, now, sleep }: FleetBooksParts): Books => {
  const id = randomUUID()
  const index = link.name('books')
  const keyOf = (other: string) => link.name('book', other)
  const over = createController()
  let others: readonly Bookkeeper[] = []
  let isWhole = true
  let looking: { readonly since: number; readonly end: Promise<void> } | undefined
  let telling: Promise<void> | undefined
  let told: { readonly text: string; readonly at: number } | undefined

  const keeper = (): Bookkeeper => ({ name, figures: own(), at: now() })

  const tell = async (): Promise<void> => {
    if (!link.isUp) return
    if (told !== undefined && (await link.run(HAS, [keyOf(id)], [])) === 0) {
      told = undefined
      link.missed()
    }
    const { at, ...rest } = keeper()
    const text = JSON.stringify(rest)
    if (text === told?.text && at - told.at < LONGEST_SILENCE) return
    await link.run(TELL, [index, keyOf(id)], [id, write({ at, ...rest })])
    told = { text, at }
  }

  const tellAll = async (beat: () => void) => {
    while (!over.signal.aborted) {
      telling = tell().catch(() => undefined)
      await telling
      beat()
      await sleep(BETWEEN_TELLINGS, over.signal)
    }
  }

  /** One after the other: together they could take longer than Redis is waited for. */
  const find = async (): Promise<void> => {
    try {
      const ids = await link.run(LIST, [index], [])
      const found: Bookkeeper[] = []
      for (const other of Array.isArray(ids) ? ids.map(String) : []) {
        if (other === id) continue
        const text = await link.run(FIND, [keyOf(other)], [])
        const known = typeof text === 'string' ? read(text) : undefined
        if (known !== undefined) found.push(known)
      }
      others = found
      isWhole = true
    } catch {
      isWhole = false
    }
  }

  return {
    look() {
      if (looking === undefined || now() - looking.since >= BETWEEN_LOOKS)
        looking = { since: now(), end: find() }
      return looking.end
    },
    get sum() {
      return sumOf([own(), ...others.map(({ figures }) => figures)], now())
    },
    get keepers() {
      return [keeper(), ...others]
    },
    get isWhole() {
      return isWhole
    },
    open: (beat) => void tellAll(beat),
    async close() {
      over.abort()
      await telling
      const { spent, savedBy } = own()
      const hasCounted = spent > 0 || Object.values(savedBy).some((saved) => saved > 0)
      const last = hasCounted ? tell() : link.run(FORGET, [index, keyOf(id)], [id])
      await last.catch(() => undefined)
    },
  }
}
