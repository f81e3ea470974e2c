import type { Board } from '../../../src/board/board.ts'
import { createMemoryBoard } from '../../../src/board/memory.ts'
import { createLedger } from '../../../src/credits/ledger.ts'
import { createBearer } from '../../../src/upstream/token/bearer.ts'
import { createLine } from '../../../src/upstream/token/line.ts'
import { createMint } from '../../../src/upstream/token/mint.ts'
import { createRecordBook } from '../../../src/upstream/token/record.ts'
import { secret } from '../../../src/upstream/token/secret.ts'
import { createToken } from '../../../src/upstream/token/token.ts'
import { createFakeClock } from '../transport/clocks.ts'
import { createIssuer, type Rotation } from './issuer.ts'

interface Setup {
  readonly life?: unknown
  readonly rotation?: Rotation
  readonly board?: Board
  readonly seed?: string | undefined
}

/** A token over a scripted issuer, restarted at will on the same board. */
export const createBench = ({
  board = createMemoryBoard(),
  seed = 'seed',
  ...issue
}: Setup = {}) => {
  const clock = createFakeClock()
  const issuer = createIssuer(clock.now, issue)
  let steady = 0
  const start = (configured: string | undefined = seed, on: Board = board) => {
    const ledger = createLedger()
    let dead = false
    const ghost = <T>(work: () => Promise<T>) => (dead ? new Promise<T>(() => undefined) : work())
    const mortal: Board = {
      ...on,
      read: (name) => ghost(() => on.read(name)),
      write: (...args) => ghost(() => on.write(...args)),
    }
    const line = createLine(
      createRecordBook(mortal),
      clock,
      configured === '' ? undefined : secret(configured),
    )
    const mint = createMint((...args) => ghost(() => issuer.send(...args)), clock, ledger, 0)
    const token = createToken(
      line,
      mint,
      clock,
      () => 1,
      () => steady,
    )
    const send = createBearer(token)(issuer.send)
    const get = (path = '/api/track/501', patience = 10_000) =>
      send(
        { method: 'GET', path, credits: 1, endpoint: 'track' },
        { ledger, deadline: clock.now() + patience },
      ).then(
        ({ status }) => status,
        (error: unknown) => error,
      )
    const getMany = (count: number) => Promise.all(Array.from({ length: count }, () => get()))
    const kill = () => {
      dead = true
    }
    return { token, get, getMany, kill }
  }
  return {
    clock,
    issuer,
    board,
    start,
    ...start(),
    /** Both clocks go on. */
    async pass(ms: number) {
      steady += ms
      await clock.pass(ms)
    },
    /** Somebody sets the wall clock. */
    jump: (ms: number) => clock.jump(ms),
  }
}
