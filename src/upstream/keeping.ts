import { randomUUID } from 'node:crypto'
import type { Link } from '../redis/link.ts'

/** What came, and of what. */
interface Named {
  readonly key: string
  readonly endpoint: string
  readonly status: number
  readonly at: number
  readonly text: string
}

/** Characters that are told at once: more could take longer than Redis is waited for, and all else would wait behind it. */
const PART = 65_536
/** Milliseconds after which a part goes that no other follows. */
const BETWEEN_PARTS = 10_000

const ADD = `
redis.call('APPEND', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ${BETWEEN_PARTS})`
/** What is told again may have been bought anew. */
const KEEP = `
local text = ARGV[4]
if KEYS[2] then
  text = redis.call('GET', KEYS[2]) or ''
  redis.call('DEL', KEYS[2])
  if #text ~= tonumber(ARGV[4]) then return redis.error_reply('parts are missing') end
end
if ARGV[7] == '1' then
  local at = redis.call('TYPE', KEYS[1]).ok == 'hash' and redis.call('HGET', KEYS[1], 'at')
  if at and (tonumber(at) or 0) >= tonumber(ARGV[2]) then return end
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'key', ARGV[1], 'at', ARGV[2], 'status', ARGV[3], 'text', text, 'endpoint', ARGV[6])
redis.call('PEXPIRE', KEYS[1], ARGV[5])`

const isFirstOfTwo = (code: number) => (code & 0xfc00) === 0xd800

const partsOf = (text: string): string[] => {
  const parts: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = from + PART
    const to = isFirstOfTwo(text.charCodeAt(end - 1)) ? end + 1 : end
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

/** Writes answers down for all replicas: a long one in parts, and one long one at a time. */
export const createKeeping = (link: Link) => {
  let last: Promise<unknown> = Promise.resolve()

  const addAll = async (draft: string, text: string) => {
    for (const part of partsOf(text)) await link.run(ADD, [draft], [part])
  }

  return (name: string, { key, at, status, text, endpoint }: Named, forMs: number) =>
    async (isAgain: boolean): Promise<unknown> => {
      const life = Math.max(1, Math.floor(forMs))
      const write = (names: readonly string[], told: string | number) =>
        link.run(KEEP, names, [key, at, status, told, life, endpoint, isAgain ? 1 : 0])
      if (text.length <= PART) return write([name], text)
      const draft = link.name('part', randomUUID())
      const written = last
        .then(() => addAll(draft, text))
        .then(() => write([name, draft], Buffer.byteLength(text)))
      last = written.catch(() => undefined)
      return written
    }
}
