import type { Link } from './link.ts'

/** A Redis that keeps it to itself takes all else. */
const MEMORY = `
local info = redis.pcall('INFO', 'memory')
return type(info) == 'string' and info or redis.error_reply('ERR INFO is not allowed')`

/** How a Redis keeps what has no end, where that is not as it should be. */
export interface Eviction {
  readonly text: string
  /** It throws out what nobody can buy anew; else it may take no more of it. */
  readonly loses: boolean
}

const settingIn = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]

const faultIn = (info: string): Eviction | undefined => {
  const policy = settingIn(info, 'maxmemory_policy') ?? 'volatile'
  if (Number(settingIn(info, 'maxmemory') ?? 0) === 0 || policy.startsWith('volatile'))
    return undefined
  const loses = policy !== 'noeviction'
  const what = loses
    ? 'Redis may throw out the token and what was spent'
    : 'Redis writes down no token and no credit once answers have filled it'
  const text = `${what}: its maxmemory-policy is ${policy}, expected volatile-lru or another of volatile-…`
  return { text, loses }
}

/** Rejects where Redis is away, or tells nobody. */
export const readEviction = async (link: Link): Promise<Eviction | undefined> =>
  faultIn(String(await link.run(MEMORY, [], [])))

/** Warns of a Redis that may lose what has no end in favour of answers, once for each time that it says something else. */
export const watchEviction = (link: Link, warn: (text: string) => void): void => {
  let told: string | undefined
  link.onUp(async () => {
    // What a Redis keeps to itself cannot be checked.
    const fault = await readEviction(link).catch(() => undefined)
    if (fault !== undefined && fault.text !== told) warn(fault.text)
    told = fault?.text
  })
}
