import type { Board } from '../../../src/board/board.ts'
import { createLease } from '../../../src/board/lease.ts'
import { createMemoryBoard } from '../../../src/board/memory.ts'
import { createLedger } from '../../../src/credits/ledger.ts'
import { createBearer } from '../../../src/upstream/token/bearer.ts'
import { createLine } from '../../../src/upstream/token/line.ts'
import { createMint } from '../../../src/upstream/token/mint.ts'
import { createRecordBook } from '../../../src/upstream/token/record.ts'
import { type Secret, secret } from '../../../src/upstream/token/secret.ts'
import { createToken } from '../../../src/upstream/token/token.ts'
import { createFakeClock } from '../transport/clocks.ts'
import { through } from '../transport/through.ts'
import { createIssuer, type Rotation } from './issuer.ts'

interface Setup {
  readonly life?: unknown
  readonly rotation?: Rotation
  readonly board?: Board
  readonly seed?: string | undefined
}

interface Start {
  readonly on?: Board
  readonly key?: Secret | undefined
  /** Its nth write of the record is never made, nor anything after it. */
  readonly diesAt?: number
}

/** A token over a scripted issuer, restarted at will on the same board. */
export const createBench = ({
  board = createMemoryBoard(),
  seed = 'seed',
  ...issue
}: Setup = {}) => {
  const clock = createFakeClock()
  const issuer = createIssuer(clock.now, issue)
  let jumped = 0
  const steady = () => clock.now() - jumped
  let started = 0
  const ended = new Set<string>()
  const start = (
    configured: string | undefined = seed,
    { on = board, key, diesAt = Number.POSITIVE_INFINITY }: Start = {},
  ) => {
    let written = 0
    const ledger = createLedger()
    let dead = false
    const owner = `process ${++started}`
    const kill = () => {
      dead = true
      ended.add(owner)
    }
    let thawed = Promise.resolve()
    let thaw = () => {}
    const ghost = async <T>(work: () => Promise<T>) => {
      await thawed
      return dead ? new Promise<T>(() => undefined) : work()
    }
    const mortal: Board = {
      owner,
      hasEnded: async (other) => ended.has(other),
      isElsewhere: on.isElsewhere,
      read: (name) => ghost(() => on.read(name)),
      write: (name, ...rest) => {
        if (name === 'token' && ++written >= diesAt) kill()
        return ghost(() => on.write(name, ...rest))
      },
    }
    const line = createLine(
      createRecordBook(mortal, key),
      clock,
      configured === '' ? undefined : secret(configured),
    )
    const mint = createMint((...args) => ghost(() => issuer.send(...args)), clock, ledger, 0)
    const pace = { sleep: clock.sleep, steady, random: () => 1 }
    const lease = createLease(mortal, 'token-lease', pace)
    const token = createToken(line, mint, lease, clock, pace.random, pace.steady)
    const send = through(createBearer(token), issuer.send)
    const get = (path = '/api/track/501', patience = 10_000) =>
      send(
        { method: 'GET', path, credits: 1, endpoint: 'track' },
        { ledger, deadline: clock.now() + patience },
      ).then(
        ({ status }) => status,
        (error: unknown) => error,
      )
    const getMany = (count: number) => Promise.all(Array.from({ length: count }, () => get()))
    const freeze = () => {
      thawed = new Promise((resolve) => {
        thaw = resolve
      })
    }
    return { token, get, getMany, kill, freeze, thaw: () => thaw() }
  }
  return {
    clock,
    issuer,
    board,
    start,
    ...start(),
    /** Both clocks go on. */
    pass: clock.pass,
    /** Somebody sets the wall clock. */
    jump(ms: number) {
      jumped += ms
      clock.jump(ms)
    },
  }
}
