import { hash, randomUUID } from 'node:crypto'
import { createOwner } from '../board/owner.ts'
import type { Link, Reply } from '../redis/link.ts'
import { createController } from '../signal.ts'
import { createKeeping } from './keeping.ts'
import { createOutbox } from './outbox.ts'
import { late } from './patience.ts'
import type { Request } from './request.ts'
import { type Claim, createRights, LEASE, SIGN_OF_LIFE } from './right.ts'
import { createSighting } from './sighting.ts'
import type { Caller, Clock } from './transport/send.ts'

/** What came, as it came. */
export interface Kept {
  readonly status: number
  readonly at: number
  readonly text: string
}

/** What this replica found there, and left there; in bytes of texts. */
export interface CommonsFigures {
  readonly found: number
  readonly missed: number
  readonly kept: number
  /** Times that it sent without knowing whether another does, or lost the right to while it did. */
  readonly alone: number
  readonly bytesRead: number
  readonly bytesWritten: number
}

/** Answers that all replicas share. Where Redis is away nothing is found, and whoever wants to send may. */
export interface Commons {
  look(key: string): Promise<Kept | undefined>
  /** What is kept that is newer than `after`, once another has brought it; else the right to send for it. */
  claim(
    key: string,
    after: number,
    caller: Pick<Caller, 'deadline' | 'signal'>,
  ): Promise<Kept | Claim>
  /** Keeps what came for all, for so many milliseconds. */
  keep(request: Pick<Request, 'key' | 'endpoint'>, kept: Kept, forMs: number): void
  readonly figures: CommonsFigures
}

/** A larger one is not read, whoever put it there: no replica would hold it either, and Redis serves nobody meanwhile. */
const LARGEST = 8_000_000
/** With the words of its request, which may be those of a client. */
const LARGEST_WHOLE = LARGEST + 100_000
/** A message may be lost. */
const BETWEEN_LOOKS = 100

const HELD = `
local function held(key, after)
  if redis.call('TYPE', key).ok ~= 'hash' then return nil end
  local bytes = 0
  for _, field in ipairs({'key', 'at', 'status', 'text'}) do
    bytes = bytes + redis.call('HSTRLEN', key, field)
  end
  if bytes > ${LARGEST_WHOLE} then return nil end
  local found = redis.call('HMGET', key, 'key', 'at', 'status', 'text')
  local at = tonumber(found[2] or nil)
  return at and at > after and found or nil
end`
const LOOK = `${HELD}
return held(KEYS[1], -1) or {}`
const CLAIM = `${HELD}
local found = held(KEYS[1], tonumber(ARGV[1]))
if found then return found end
local owner = redis.call('TYPE', KEYS[2]).ok == 'string' and redis.call('GET', KEYS[2])
if owner and owner ~= ARGV[2] and owner ~= ARGV[4] then
  return string.format('%.0f ', redis.call('PTTL', KEYS[2])) .. owner
end
if not owner and ARGV[5] ~= '' then return '0 ' .. ARGV[5] end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1`
const keptIn = (reply: Reply, key: string): Kept | undefined => {
  if (!Array.isArray(reply) || reply[0] !== key) return undefined
  const [, at, status, text] = reply
  const kept = { at: Number(at), status: Number(status), text: String(text) }
  return Number.isFinite(kept.at) && Number.isInteger(kept.status) ? kept : undefined
}

/** Whose lease it is, and for how many milliseconds; none where it is gone. */
const leaseIn = (reply: string) => {
  const end = reply.indexOf(' ')
  return { sender: reply.slice(end + 1), leftMs: Number(reply.slice(0, end)) }
}

const momentIn = (reply: Reply): number =>
  Array.isArray(reply) ? Number(reply[1]) : Number.POSITIVE_INFINITY

export const createCommons = (link: Link, clock: Clock): Commons => {
  const { mark, hasEnded } = createOwner()
  const owner = `${mark} ${randomUUID()}`
  const landed = link.name('landed')
  const waiting = new Map<string, Set<() => void>>()
  link.hear(landed, (name) => {
    for (const wake of waiting.get(name) ?? []) wake()
  })

  const namesOf = (key: string) => {
    const digest = hash('sha256', key, 'base64url')
    return [link.name('answer', digest), link.name('lease', digest)] as const
  }
  const figures = { found: 0, missed: 0, kept: 0, alone: 0, bytesRead: 0, bytesWritten: 0 }
  const outbox = createOutbox(link, clock)
  const lost = () => {
    figures.alone += 1
  }
  const hold = createRights(link, clock, { owner, landed, outbox, lost })
  const counted = <F extends Kept | undefined>(found: F): F => {
    figures[found === undefined ? 'missed' : 'found'] += 1
    figures.bytesRead += found === undefined ? 0 : Buffer.byteLength(found.text)
    return found
  }
  const keeping = createKeeping(link)
  /** Of what takes its time: the right to send for it ends after that. */
  const underWay = new Map<string, Promise<void>>()
  const keep: Commons['keep'] = ({ key, endpoint }, kept, forMs) => {
    const [answer, lease] = namesOf(key)
    const bytes = Buffer.byteLength(kept.text)
    if (bytes > LARGEST) return
    const send = keeping(answer, { key, endpoint: endpoint.name, ...kept }, forMs)
    const telling = outbox.tell({ bytes, send })
    underWay.set(lease, telling)
    void telling.then(() => underWay.get(lease) === telling && underWay.delete(lease))
    figures.kept += 1
    figures.bytesWritten += bytes
  }

  const take = (lease: string, isCertain: boolean) =>
    hold(lease, isCertain, () => underWay.get(lease))

  /** Hears from now on when the lease ends, so that it is not missed while its holder is asked for. */
  const listenTo = (lease: string, signal: Caller['signal']) => {
    const over = createController()
    let isTold = false
    const leave = () => over.abort()
    const wake = () => {
      isTold = true
      leave()
    }
    const wakes = waiting.get(lease) ?? new Set()
    waiting.set(lease, wakes.add(wake))
    signal?.addEventListener('abort', leave)
    return {
      /** Until it has ended, or for a while; whether it was said to have ended. */
      async wait(): Promise<boolean> {
        await clock.sleep(BETWEEN_LOOKS, over.signal)
        return isTold
      },
      end() {
        signal?.removeEventListener('abort', leave)
        wakes.delete(wake)
        if (wakes.size === 0) waiting.delete(lease)
      },
    }
  }

  return {
    keep,
    figures,
    async look(key) {
      const [answer] = namesOf(key)
      return counted(keptIn(await link.run(LOOK, [answer], []).catch(() => null), key))
    },
    async claim(key, after, caller) {
      const [answer, lease] = namesOf(key)
      const seen = createSighting(clock, SIGN_OF_LIFE)
      let ended = ''
      for (let newerThan = after; ; ) {
        const news = listenTo(lease, caller.signal)
        try {
          const reply = await link
            .run(CLAIM, [answer, lease], [newerThan, owner, LEASE, ended, seen.sender])
            .catch(() => null)
          if (reply === null) figures.alone += 1
          if (reply === null || reply === 1) return take(lease, reply === 1)
          const found = keptIn(reply, key)
          if (found !== undefined) return counted(found)
          // What is there is nothing: it is passed over.
          if (typeof reply !== 'string') {
            newerThan = momentIn(reply)
            continue
          }
          const { sender, leftMs } = leaseIn(reply)
          if (caller.signal?.aborted || clock.now() >= caller.deadline) throw late()
          seen.saw(sender, leftMs)
          if (sender !== ended && (await hasEnded(sender))) {
            ended = sender
            seen.forget()
          } else if (await news.wait()) seen.forget()
        } finally {
          news.end()
        }
      }
    },
  }
}
