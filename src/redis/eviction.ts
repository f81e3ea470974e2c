import { type Link, script } from './link.ts'

const MEMORY = script(`return redis.call('INFO', 'memory')`)

const settingIn = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]

const faultIn = (info: string): string | undefined => {
  const policy = settingIn(info, 'maxmemory_policy') ?? 'volatile'
  if (Number(settingIn(info, 'maxmemory') ?? 0) === 0 || policy.startsWith('volatile'))
    return undefined
  const what =
    policy === 'noeviction'
      ? 'Redis writes down no token and no credit once answers have filled it'
      : 'Redis may throw out the token and what was spent'
  return `${what}: its maxmemory-policy is ${policy}, expected volatile-lru or another of volatile-…`
}

/** Warns of a Redis that may lose what has no end in favour of answers, once for each time that it says something else. */
export const watchEviction = (link: Link, warn: (text: string) => void): void => {
  let told: string | undefined
  link.onUp(async () => {
    // What a Redis keeps to itself cannot be checked.
    const info = await link.run(MEMORY, [], []).catch(() => '')
    const fault = faultIn(String(info))
    if (fault !== undefined && fault !== told) warn(fault)
    told = fault
  })
}
