import type { Link, Reply } from '../redis/link.ts'
import { createController } from '../signal.ts'
import type { Outbox } from './outbox.ts'
import type { Clock } from './transport/send.ts'

/** The right to send for something while all other replicas wait for what it brings. */
export interface Claim {
  /** Gives the right to whoever waits, once what was kept before is there for them. */
  end(): void
}

/** A replica that gives no sign of life for so long is passed over; one that has ended for certain, at once. */
export const LEASE = 10_000
export const SIGN_OF_LIFE = 1_500

const HOLDER = `
local function holder(key)
  return redis.call('TYPE', key).ok == 'string' and redis.call('GET', key) or nil
end`
/** What nobody has was lost, and is taken again. */
const RENEW = `${HOLDER}
local owner = holder(KEYS[1])
if owner and owner ~= ARGV[1] then return 'of another' end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return owner and 'ours' or 'lost'`
const END = `${HOLDER}
local isOurs = holder(KEYS[1]) == ARGV[1]
if isOurs then redis.call('DEL', KEYS[1]) end
redis.call('PUBLISH', ARGV[2], KEYS[1])
return isOurs and 'ours' or 'lost'`

export interface RightParts {
  readonly owner: string
  /** Where it is said that one has ended. */
  readonly landed: string
  readonly outbox: Outbox
  /** Told once of each that was found to be somebody else's, or nobody's: another may have sent for the same. */
  lost(): void
}

/** Rights that this process has: it gives signs of life of each until that ends, or is somebody else's. */
export const createRights = (
  link: Link,
  clock: Clock,
  { owner, landed, outbox, lost }: RightParts,
) => {
  const held = new Map<string, () => void>()
  // What was lost meanwhile is taken again before others send for the same.
  link.onUp(() => {
    for (const renew of held.values()) renew()
  })

  /** `isCertain`: it was given; else nobody could be asked. `kept`: the end of telling what it brought. */
  return (lease: string, isCertain: boolean, kept: () => Promise<void> | undefined): Claim => {
    const over = createController()
    let isLost = !isCertain
    const judge = (reply: Reply) => {
      if (reply === 'ours') return
      if (!isLost) lost()
      isLost = true
      if (reply === 'of another') over.abort()
    }
    const renew = () => {
      const reply = over.signal.aborted ? undefined : link.run(RENEW, [lease], [owner, LEASE])
      reply?.then(judge, () => undefined)
    }
    const live = async () => {
      for (;;) {
        await clock.sleep(SIGN_OF_LIFE, over.signal)
        if (over.signal.aborted) return
        renew()
      }
    }
    const end = () => {
      over.abort()
      if (held.get(lease) === renew) held.delete(lease)
      void outbox.tell({
        bytes: 0,
        async send(isAgain) {
          // Of one that this process has anew it is not told.
          if (!isAgain || !held.has(lease)) judge(await link.run(END, [lease], [owner, landed]))
        },
      })
    }
    held.set(lease, renew)
    void live()
    return {
      end() {
        const telling = kept()
        if (telling === undefined) end()
        else void telling.then(end)
      },
    }
  }
}
