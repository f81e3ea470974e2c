import { hashOf } from '../documents.ts'
import type { Link } from '../redis/link.ts'

/** Documents that clients sent to any replica, for all of them. Where Redis is away none is known there. */
export interface Library {
  /** The document of a hash. */
  find(hash: string): Promise<string | undefined>
  /** Takes in a document that is that of its hash. */
  learn(hash: string, text: string): void
}

const MOST_KEPT = 10_000
const MOST_KEPT_BYTES = 16_000_000
/** As a request may be; a larger text is not fetched, whoever put it there. */
const LARGEST = 100_000
/** After a use; what nobody uses for so long is sent once more. */
const KEPT_FOR = 30 * 86_400_000

/** Texts by their hash, and hashes by their last use: what is only one of them, or is something else, is nothing. */
const WHOLE = `
local texts, order = KEYS[1], KEYS[2]
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local isWhole = redis.call('TYPE', texts).ok == 'hash' and redis.call('TYPE', order).ok == 'zset'
local function use(hash)
  redis.call('ZADD', order, now, hash)
  redis.call('PEXPIRE', texts, ${KEPT_FOR})
  redis.call('PEXPIRE', order, ${KEPT_FOR})
end`
const FIND = `${WHOLE}
local isText = isWhole and redis.call('HSTRLEN', texts, ARGV[1]) <= ${LARGEST}
local text = isText and redis.call('HGET', texts, ARGV[1])
if not text then return nil end
use(ARGV[1])
return text`
const LEARN = `${WHOLE}
local hash, text = ARGV[1], ARGV[2]
if not isWhole then redis.call('DEL', texts, order) end
local function add(bytes)
  return redis.call('HINCRBY', texts, 'bytes', string.format('%.0f', bytes))
end
local bytes = add(#text - redis.call('HSTRLEN', texts, hash))
redis.call('HSET', texts, hash, text)
use(hash)
while bytes > ${MOST_KEPT_BYTES} or redis.call('ZCARD', order) > ${MOST_KEPT} do
  local oldest = redis.call('ZPOPMIN', order)[1]
  if not oldest then return redis.call('DEL', texts) end
  bytes = add(-redis.call('HSTRLEN', texts, oldest))
  redis.call('HDEL', texts, oldest)
end`

export const createLibrary = (link: Link): Library => {
  const keys = [link.name('documents'), link.name('documents', 'order')]
  return {
    async find(hash) {
      const text = await link.run(FIND, keys, [hash]).catch(() => null)
      return typeof text === 'string' && hashOf(text) === hash ? text : undefined
    },
    // What Redis does not take is sent once more by whoever asks another replica.
    learn: (hash, text) => void link.run(LEARN, keys, [hash, text]).catch(() => undefined),
  }
}
