import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { markIn } from './upstream/archive.ts'
import { createDisk, type OwnDisk } from './upstream/disk.ts'
import { endpoints } from './upstream/endpoints/index.ts'
import { createFacts } from './upstream/facts.ts'
import { createFolder } from './upstream/folder.ts'
import { createPacking } from './upstream/packed.ts'
import { createMemoryShelf } from './upstream/shelf.ts'
import type { Disk } from './upstream/stored.ts'

/** A folder of answers in place of the disk: filled while a team works, or, closed, in place of the service too. */
export interface Recordings {
  readonly folder: string
  readonly isClosed: boolean
}

const MEGABYTE = 1024 * 1024
/** Shares of the memory beside the answers': finished ones, what rows tell of other things, and what operations need. */
const SHARES = { finished: 0.1, facts: 0.1, drafts: 0.1 } as const
/** Share of the memory of answers that is parsed. */
const OPEN = 0.06

/** Where the answers of a process lie: in memory, with what their rows tell, and in a folder that outlives it. */
export const createStorage = (
  { cacheMaxMb, diskMaxMb, stateDir }: Config,
  log: Log,
  recordings: Recordings | undefined,
) => {
  const bytes = cacheMaxMb * MEGABYTE
  const shelf = createMemoryShelf(bytes * (1 - SHARES.finished - SHARES.facts - SHARES.drafts))
  const facts = createFacts(shelf, bytes * SHARES.facts)
  const openDisk = (): OwnDisk | undefined => {
    if (stateDir === undefined || recordings !== undefined) return undefined
    try {
      return createDisk(stateDir, diskMaxMb * MEGABYTE, log.error)
    } catch (failure) {
      log.error(`Answers cannot be kept in ${stateDir}, memory has them:`, failure)
      return undefined
    }
  }
  const ownDisk = openDisk()
  const disk: Disk | undefined =
    recordings === undefined
      ? ownDisk
      : createFolder(recordings.folder, recordings.isClosed, markIn(endpoints))
  return {
    shelf,
    facts,
    packed: createPacking(bytes * OPEN, facts.read),
    /** None where recordings stand in its place, or it cannot be had. */
    ownDisk,
    disk,
    /** What others have of the memory. */
    bytes: {
      finished: Math.ceil(bytes * SHARES.finished),
      drafts: Math.ceil(bytes * SHARES.drafts),
    },
  }
}
