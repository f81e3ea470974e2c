import { hostname } from 'node:os'
import type { Board } from './board/board.ts'
import { createFileBoard } from './board/file.ts'
import { createMemoryBoard } from './board/memory.ts'
import { createRedisBoard } from './board/redis.ts'
import type { Config } from './config.ts'
import { type Books, createOwnBooks } from './credits/books.ts'
import type { Figures } from './credits/figures.ts'
import { createFleetBooks } from './credits/fleet-books.ts'
import { createFleetTallies } from './credits/fleet-tally.ts'
import { createTallies, type Tallies } from './credits/tally.ts'
import type { Log } from './log.ts'
import { watchEviction } from './redis/eviction.ts'
import { createLink, type Link, type LinkSettings } from './redis/link.ts'
import type { Clock } from './upstream/transport/send.ts'

/** What a process has in common with its replicas: in Redis, else in a folder of this machine, else nothing. */
export interface Replica {
  readonly redis: Link | undefined
  /** Where the common records lie. */
  readonly board: Board
  /** What all of them took of budgets. */
  readonly tallies: Tallies
  /** What all of them spent and saved, of which this process tells its own. */
  books(own: () => Figures, clock: Clock): Books
  /** Among how many the slots are shared, as far as they cannot hear of each other. */
  sharers(): number
}

/** `limitMs`: most that anything waits for Redis. */
export const createReplica = (
  { redisUrl, stateDir, replicasMax, workers }: Config,
  { warn }: Log,
  limitMs: number | undefined,
  watch: LinkSettings['watch'] & {},
): Replica => {
  const name = `${hostname()}, process ${process.pid}`
  if (redisUrl !== undefined) {
    const redis = createLink({ url: redisUrl, limitMs, warn, watch })
    watchEviction(redis, warn)
    const replicas = Math.max(replicasMax, workers)
    return {
      redis,
      board: createRedisBoard(redis),
      tallies: createFleetTallies(redis, { replicas, warn }),
      books: (own, { now, sleep }) => createFleetBooks(redis, { name, own, now, sleep }),
      sharers: () => (redis.isUp ? 1 : replicas),
    }
  }
  const board = stateDir === undefined ? createMemoryBoard() : createFileBoard(stateDir)
  return {
    redis: undefined,
    board,
    tallies: createTallies(board, warn),
    books: (own, { now }) => createOwnBooks({ name, own, now }),
    sharers: () => 1,
  }
}
