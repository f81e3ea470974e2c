import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRedisBoard } from '../board/redis.ts'
import { counted } from '../count.ts'
import { purgeCommons } from '../upstream/commons-purge.ts'
import { createDisk } from '../upstream/disk.ts'
import { endpoints } from '../upstream/endpoints/index.ts'
import { type Meant, meantBy, tellPurge } from '../upstream/purge.ts'
import { onRedis } from './redis.ts'

/** What `refrain cache` does. */
export const USAGE = `refrain cache purge (--all | --endpoint <name>… | --before <date>) [--state-dir <folder>]

purge  takes answers out of the folder of answers, and out of Redis where REDIS_URL is set, so that they are bought anew;
       replicas that share a Redis take them out of what they hold as well; a process without one keeps what it has in
       memory until it is started anew
  --all        every answer
  --endpoint   those of this endpoint, as docs/endpoints.md names it; may be repeated
  --before     those that were bought before this day or moment, such as 2026-11-28 or 2026-11-28T12:00:00Z
  --state-dir  the folder, STATE_DIR where it is not said`

/** What is asked for is not within its bound, so that no purge makes room. */
const NO_BOUND = Number.POSITIVE_INFINITY

const momentOf = (text: string | undefined): number => {
  const moment = text === undefined ? Number.POSITIVE_INFINITY : Date.parse(text)
  if (Number.isNaN(moment)) throw new Error(`--before: expected a day or a moment, got ${text}`)
  return moment
}

const namesOf = (given: readonly string[]): ReadonlySet<string> => {
  for (const name of given)
    if (!Object.hasOwn(endpoints, name))
      throw new Error(`--endpoint: expected one of docs/endpoints.md, got ${name}`)
  return new Set(given)
}

const told = (count: number) => `${counted(count, 'answer')} taken out`

const purgeFolder = async (folder: string, meant: Meant): Promise<string> => {
  const disk = createDisk(folder, NO_BOUND)
  try {
    const count = await disk.purge(meantBy(meant))
    return `${told(count)}, ${disk.size} left`
  } finally {
    await disk.close()
  }
}

const purgeRedis = (redis: string, meant: Meant): Promise<string> =>
  onRedis(redis, async (link) => {
    const count = await purgeCommons(link, meant)
    await tellPurge(createRedisBoard(link), meant, Date.now())
    return `${told(count)} of Redis, and of what replicas hold`
  })

/** Purges, and tells how much; a wrong option is thrown. */
export const cacheCommand = async (
  [command, ...args]: readonly string[],
  stateDir: string,
  redis = '',
): Promise<string> => {
  if (command !== 'purge') throw new Error(USAGE)
  const { values } = parseArgs({
    args: [...args],
    options: {
      all: { type: 'boolean', default: false },
      endpoint: { type: 'string', multiple: true, default: [] },
      before: { type: 'string' },
      'state-dir': { type: 'string', default: stateDir },
    },
  })
  const names = namesOf(values.endpoint)
  const before = momentOf(values.before)
  const isNarrowed = names.size > 0 || values.before !== undefined
  if (values.all === isNarrowed) throw new Error(USAGE)
  const folder = values['state-dir']
  const isThere = existsSync(join(folder, 'answers'))
  if (!isThere && redis === '') throw new Error(`No answers are kept in ${folder}`)
  const meant = { names, before }
  const purged = [
    ...(isThere ? [await purgeFolder(folder, meant)] : []),
    ...(redis === '' ? [] : [await purgeRedis(redis, meant)]),
  ]
  return purged.join('\n')
}
