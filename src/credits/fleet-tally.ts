import { randomUUID } from 'node:crypto'
import type { Link, Reply } from '../redis/link.ts'
import type { Receipt } from './purse.ts'
import type { Tallies, TallySettings } from './tally.ts'

/**
 * Each replica has two fields that only it counts up, and sends its own counts with each charge: what Redis lost in a
 * failover comes back with the next, and what it was told twice counts once. Where Redis lost all of it, the first to come
 * says what all had taken, as far as it has heard. That stands in a field of nobody, 'c:', until each has told its part of
 * it; the part of one that has ended stays there.
 */
const CHARGE = `
local key, id = KEYS[1], ARGV[4]
local window, next, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local function field(name)
  local text = redis.call('HGET', key, name)
  return text and string.match(text, '^%d+$') and tonumber(text) or nil
end
local clock = redis.call('TIME')
local at = clock[1] * 1000000 + clock[2]
local kind = redis.call('TYPE', key).ok
local stored = kind == 'hash' and field('window') or nil
if stored and stored > window and stored <= next then return {stored, field('total') or 0, at, 0} end
if stored ~= window then
  redis.call('DEL', key)
  redis.call('HSET', key, 'window', string.format('%.0f', window), 'total', ARGV[7], 'c:', ARGV[7])
end
local total = field('total')
if not total then
  total = 0
  local fields = redis.call('HGETALL', key)
  for place = 1, #fields, 2 do
    local sign = ({['c:'] = 1, ['r:'] = -1})[string.sub(fields[place], 1, 2)]
    if sign then total = total + sign * (field(fields[place]) or 0) end
  end
end
local untold = field('c:') or 0
local isTold = field('c:' .. id)
local part = isTold and 0 or math.min(untold, tonumber(ARGV[8]))
total = total - part
local charged, refunded = isTold or 0, field('r:' .. id) or 0
total = total + math.max(0, tonumber(ARGV[5]) - charged) - math.max(0, tonumber(ARGV[6]) - refunded)
charged, refunded = math.max(charged, tonumber(ARGV[5])), math.max(refunded, tonumber(ARGV[6]))
local verdicts = {}
for place = 9, #ARGV do
  local credits = tonumber(ARGV[place])
  local isGranted = total + credits <= limit
  if isGranted then total, charged = total + credits, charged + credits end
  verdicts[place - 8] = isGranted and '1' or '0'
end
redis.call('HSET', key, 'total', total, 'c:', untold - part, 'c:' .. id, charged, 'r:' .. id, refunded)
redis.call('PUBLISH', key, string.format('%.0f %.0f %.0f', window, total, at))
return {window, total, at, charged, table.concat(verdicts)}`

/** Charges that one call of the script decides. */
const AT_ONCE = 500

interface Asker {
  readonly credits: number
  tell(receipt: Receipt | undefined): void
}

const numbersIn = (reply: Reply): number[] => (Array.isArray(reply) ? reply.map(Number) : [])

export interface FleetSettings {
  /** Most replicas that share it. */
  readonly replicas: number
  readonly warn: (text: string) => void
}

/**
 * Counts for all replicas by one script a charge. While Redis is away each spends no more than its part of what was
 * left, and then nothing.
 */
export const createFleetTallies =
  (link: Link, { replicas, warn }: FleetSettings): Tallies =>
  ({ name, limit, begin, next }: TallySettings) => {
    const id = randomUUID()
    const key = link.name('board', name)
    const asking: Asker[] = []
    /** What all have taken in a window, as far as this process has heard; `at` is Redis' own time. */
    let heard = { window: 0, total: 0, at: 0 }
    /** What this process has taken and given back in it. */
    let own = { window: 0, charged: 0, refunded: 0 }
    let told = 0
    /** Its own part of what was heard. */
    let part = 0
    /** What it may still take in it without asking. */
    let alone: { readonly window: number; left: number; taken: number } | undefined
    /** Something may have been said that was not heard. */
    let isDeaf = false
    let working: Promise<void> | undefined

    const present = (): number =>
      heard.window <= next() ? Math.max(begin(), heard.window) : begin()

    /** What is told may come later than what was answered after it. */
    const hear = (told: typeof heard): void => {
      if (told.window <= next() && told.at >= heard.at) heard = told
    }

    const enter = (): number => {
      const window = present()
      if (own.window !== window) {
        own = { window, charged: 0, refunded: 0 }
        told = 0
        part = 0
      }
      return window
    }

    const receipt = (window: number, credits: number): Receipt => ({
      refund() {
        if (own.window !== window) return
        own.refunded += credits
        if (alone?.window === window) {
          alone.left += credits
          alone.taken -= credits
        }
        void work()
      },
    })

    /** Tells nobody anything where a window has begun that this process did not know of. */
    const settle = async (): Promise<void> => {
      isDeaf = false
      const window = enter()
      const askers = asking.slice(0, AT_ONCE)
      const { charged, refunded } = own
      const costs = askers.map(({ credits }) => credits)
      const sum = heard.window === window ? heard.total : 0
      const settings = [window, next(), limit, id, charged, refunded, sum, part]
      const reply = await link.run(CHARGE, [key], [...settings, ...costs])
      const [found = window, total = 0, at = 0, counted = 0] = numbersIn(reply)
      hear({ window: found, total, at })
      alone = undefined
      if (found !== window) return
      if (own.window === window) {
        own.charged = Math.max(own.charged, counted)
        told = refunded
        part = counted - refunded
      }
      const verdicts = Array.isArray(reply) ? String(reply[4]) : ''
      asking.splice(0, askers.length)
      for (const [at, { credits, tell }] of askers.entries())
        tell(verdicts[at] === '1' ? receipt(window, credits) : undefined)
    }

    /** Of a window that began while Redis was away nothing is taken; of one never heard of nothing is known. */
    const leftOf = (window: number): number => {
      if (heard.window === window) return limit - heard.total
      return heard.window === 0 ? 0 : limit
    }

    const settleAlone = (failure: unknown): void => {
      const window = enter()
      if (alone === undefined)
        warn(`${name} cannot be counted for all, this replica spends its part of it: ${failure}`)
      if (alone?.window !== window)
        alone = { window, left: Math.floor(leftOf(window) / replicas), taken: 0 }
      for (const { credits, tell } of asking.splice(0)) {
        const isGranted = credits <= alone.left
        if (isGranted) {
          alone.left -= credits
          alone.taken += credits
          own.charged += credits
        }
        tell(isGranted ? receipt(window, credits) : undefined)
      }
    }

    const isBehind = (): boolean => own.window === present() && own.refunded !== told

    const settleAll = async (): Promise<void> => {
      do {
        try {
          await settle()
        } catch (failure) {
          settleAlone(failure)
        }
      } while (asking.length > 0 || ((isDeaf || isBehind()) && alone === undefined))
      working = undefined
    }

    const work = (): Promise<void> => {
      working ??= settleAll()
      return working
    }

    link.hear(key, (message) => {
      const [window = 0, total = 0, at = 0] = message.split(' ').map(Number)
      hear({ window, total, at })
    })
    // What was taken without Redis is told as soon as it is back.
    link.onUp(() => {
      isDeaf = true
      void work()
    })

    return {
      get taken() {
        const window = present()
        const within = (part: { readonly window: number } | undefined, credits = 0) =>
          part?.window === window ? credits : 0
        return within(heard, heard.total) + within(alone, alone?.taken)
      },
      get own() {
        return alone?.left
      },
      get isWritten() {
        return alone === undefined
      },
      take: (credits) =>
        new Promise((tell) => {
          asking.push({ credits, tell })
          void work()
        }),
      async open() {
        await work()
      },
      async close() {
        await working
        if (isBehind()) await work()
      },
    }
  }
