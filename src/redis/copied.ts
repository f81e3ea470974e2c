import type { Redis } from 'ioredis'

/** For the whole question; who asks waits no longer than for anything else, and the answer comes to the log. */
const PATIENCE = 2_000

/** `WAIT` counts from what its own connection wrote last; what was written before that has come before it. */
const isCopied = async (pen: Redis, mark: string): Promise<boolean> => {
  await pen.connect()
  const info = await pen.info('replication')
  if (Number(/^connected_slaves:(\d+)/m.exec(info)?.[1] ?? 0) === 0) return true
  await pen.set(mark, '', 'PX', PATIENCE)
  return (await pen.wait(1, PATIENCE)) > 0
}

/**
 * Waits until a replica of Redis has all that was written so far, or for as long as anybody waits. On a connection of
 * its own, since whatever else is asked on it would wait as well.
 */
export const createCopied = (
  redis: Redis,
  mark: string,
  limitMs: number,
  warn: (text: string) => void,
) => {
  let isTold = false

  const ask = async (): Promise<void> => {
    const pen = redis.duplicate({
      retryStrategy: () => null,
      connectTimeout: PATIENCE,
      commandTimeout: 2 * PATIENCE,
    })
    // The link tells of a Redis that is away.
    pen.on('error', () => undefined)
    const copied = await isCopied(pen, mark).catch(() => undefined)
    pen.disconnect()
    if (copied === false && !isTold)
      warn(
        `No replica of Redis has what was written to it within ${PATIENCE} ms: a failover loses it`,
      )
    isTold = copied === false
  }

  return (): Promise<void> =>
    new Promise((resolve) => {
      const over = setTimeout(resolve, limitMs)
      void ask().then(() => {
        clearTimeout(over)
        resolve()
      })
    })
}
