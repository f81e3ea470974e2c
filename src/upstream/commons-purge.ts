import type { Link } from '../redis/link.ts'
import type { Meant } from './purge.ts'

/** Keys that one run of the script looks at. */
const AT_ONCE = 500

const PURGE = `
local names = {}
for place = 4, #ARGV do names[ARGV[place]] = true end
local before = tonumber(ARGV[3])
local found = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ${AT_ONCE})
local count = 0
for _, key in ipairs(found[2]) do
  local isAnswer = redis.call('TYPE', key).ok == 'hash'
  local told = isAnswer and redis.call('HMGET', key, 'at', 'endpoint') or {}
  local at = tonumber(told[1] or nil)
  if (not before or at and at < before) and (#ARGV < 4 or names[told[2] or '']) then
    count = count + redis.call('DEL', key)
  end
end
return {found[1], count}`

/** Takes out the answers that are meant of those that replicas share; resolves with how many these were. */
export const purgeCommons = async (link: Link, { names, before }: Meant): Promise<number> => {
  const until = Number.isFinite(before) ? before : ''
  let count = 0
  let cursor = '0'
  do {
    const reply = await link.run(PURGE, [], [cursor, link.name('answer', '*'), until, ...names])
    const [next, purged] = Array.isArray(reply) ? reply : []
    cursor = String(next ?? '0')
    count += Number(purged ?? 0)
  } while (cursor !== '0')
  return count
}
