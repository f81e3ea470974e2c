import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { RootDatabase } from 'lmdb'

/** Writes to a store that nobody waits for. */
export interface Writing {
  /** Writes all of it or nothing; `isAnswer` where a whole answer is in it. */
  write(work: () => void, isAnswer?: boolean): void
  /** Whether something may be written at this moment; told before each answer. */
  mayPut(at: number): boolean
  /** Whether what is put arrives. */
  readonly isWritten: boolean
  /** Once a write has failed, the store never tells that it is flushed: this tells it in its place. */
  readonly failed: Promise<void>
  fail(failure: unknown): Promise<void>
}

/** How long nothing is put after a failure, so that a full disk is told once and not with each answer. */
const LEFT_ALONE_MS = 60_000

/** What failed: of a commit, those who wait for it are told less than a promise tells that comes with it, if it ever does. */
const causeOf = async (failure: unknown): Promise<unknown> => {
  try {
    if (failure instanceof Error && 'commitError' in failure)
      await Promise.race([failure.commitError, turnOfTheLoop()])
    return failure
  } catch (cause) {
    return cause
  }
}

/** Follows what is written to a store: a failure is told once, and the store is left alone a while. */
export const createWriting = (
  root: Pick<RootDatabase, 'batch'>,
  folder: string,
  warn: (text: string) => void,
): Writing => {
  let isWritten = true
  let lastPut = 0
  let restsUntil = 0
  let giveUp: () => void
  const failed = new Promise<void>((resolve) => {
    giveUp = resolve
  })
  const fail = async (failure: unknown): Promise<void> => {
    giveUp()
    restsUntil = lastPut + LEFT_ALONE_MS
    const isFirst = isWritten
    isWritten = false
    const cause = await causeOf(failure)
    if (isFirst) warn(`Answers cannot be written to ${folder}, memory has them: ${cause}`)
  }
  /** Small writes may still succeed where a whole answer has no room, and tell nothing. */
  const recover = (): void => {
    if (isWritten || lastPut < restsUntil) return
    warn(`Answers are written to ${folder} again`)
    isWritten = true
  }
  return {
    write: (work, isAnswer = false) =>
      void root.batch(work).then(isAnswer ? recover : undefined, fail),
    mayPut(at) {
      lastPut = at
      return at >= restsUntil
    },
    get isWritten() {
      return isWritten
    },
    failed,
    fail,
  }
}
