import { randomUUID } from 'node:crypto'
import type { Link, Reply } from '../redis/link.ts'
import type { Board, Sheet } from './board.ts'
import { createOwner } from './owner.ts'

/** What is no record, or has no generation, is one of generation 0, for its reader to judge. */
const GENERATION = `
local function generation(key)
  local kind = redis.call('TYPE', key).ok
  if kind == 'none' then return '' end
  local gen = kind == 'hash' and redis.call('HGET', key, 'gen') or '0'
  return #(gen or '') < 16 and string.match(gen or '', '^[1-9]%d*$') or '0'
end`

/** No record is larger; what somebody else put there is not fetched. */
const LARGEST = 100_000

const READ = `${GENERATION}
local gen = generation(KEYS[1])
if gen == '' then return {} end
local isHash = redis.call('TYPE', KEYS[1]).ok == 'hash'
local isRecord = isHash and redis.call('HSTRLEN', KEYS[1], 'text') <= ${LARGEST}
return {gen, isRecord and redis.call('HGET', KEYS[1], 'text') or ''}`

const WRITE = `${GENERATION}
local gen = generation(KEYS[1])
if gen ~= ARGV[3] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'gen', ARGV[1], 'text', ARGV[2])
redis.call('PUBLISH', KEYS[1], ARGV[1])
return 1`

const MISS = `return redis.call('PUBLISH', KEYS[1], '')`

const sheetOf = (reply: Reply): Sheet | undefined => {
  if (!Array.isArray(reply) || reply.length === 0) return undefined
  return { gen: Number(reply[0]), text: String(reply[1]) }
}

/**
 * A board that all replicas share. Its records have no end, so that a Redis that evicts what expires keeps them, and
 * each write is one script, so that of several replicas one writes.
 */
export const createRedisBoard = (link: Link): Board => {
  const owner = createOwner()
  const mark = `${owner.mark} ${randomUUID()}`
  const keyOf = (name: string) => link.name('board', name)
  return {
    owner: mark,
    isElsewhere: true,
    // Whoever asks holds nothing: under its own mark lies a write whose reply was lost.
    hasEnded: async (other) => other === mark || owner.hasEnded(other),
    async read(name) {
      return sheetOf(await link.run(READ, [keyOf(name)], []))
    },
    async write(name, { gen, text }, seen) {
      return (await link.run(WRITE, [keyOf(name)], [gen, text, seen ?? ''])) === 1
    },
    copied: link.copied,
    watch: (name, changed) => link.hear(keyOf(name), changed),
    miss: async (name) => Number(await link.run(MISS, [keyOf(name)], [])),
  }
}
