import { createLink, type Link } from '../redis/link.ts'
import { redisUrl } from '../setting.ts'

/** Nobody waits for an answer meanwhile. */
const PATIENCE_MS = 10_000

/** Does something on the Redis of `REDIS_URL`, and leaves it. */
export const onRedis = async <T>(
  given: string,
  act: (link: Link) => Promise<T>,
  limitMs = PATIENCE_MS,
): Promise<T> => {
  const url = redisUrl.read(given)
  if (url === undefined) throw new Error(`REDIS_URL: expected ${redisUrl.expected}`)
  const link = createLink({ url, limitMs })
  try {
    await link.open()
    return await act(link)
  } finally {
    await link.close()
  }
}
