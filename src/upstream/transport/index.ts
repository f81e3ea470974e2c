import type { Board } from '../../board/board.ts'
import { createFileBoard } from '../../board/file.ts'
import { createLease } from '../../board/lease.ts'
import { createMemoryBoard } from '../../board/memory.ts'
import { createLedger, type Ledger } from '../../credits/ledger.ts'
import { createBearer } from '../token/bearer.ts'
import { createCopy } from '../token/copy.ts'
import { createLine } from '../token/line.ts'
import { createMint } from '../token/mint.ts'
import { createRecordBook } from '../token/record.ts'
import type { Secret } from '../token/secret.ts'
import { createToken } from '../token/token.ts'
import { createBreaker } from './breaker.ts'
import { createGate } from './gate.ts'
import { createHttp, type HttpSettings } from './http.ts'
import { type Billed, createMeter } from './meter.ts'
import type { PassageSettings } from './passage.ts'
import { createRetry } from './retry.ts'
import type { Clock, Watch } from './send.ts'
import { createSharedPause } from './shared-pause.ts'
import { createSlots } from './slots.ts'
import { sending } from './step.ts'
import { createWatched, type Warn } from './watched.ts'

export interface TransportSettings extends HttpSettings, PassageSettings {
  readonly refreshToken?: Secret | undefined
  /** Folder of the token record; `off` keeps it in memory. */
  readonly stateDir: string
  /** 32 bytes in base64: seals the token record. */
  readonly stateKey?: Secret | undefined
  readonly billed: Billed
}

/** What a test, or a deployment of several replicas, puts in place of the default. */
export interface TransportParts {
  readonly random?: () => number
  readonly monotonic?: () => number
  readonly board?: Board
  /** Each is told of every attempt. */
  readonly watches?: readonly Watch[]
  /** Pays for token calls, where the plan bills them. */
  readonly ledger?: Ledger
  /** Told what an operator should look at. */
  readonly warn?: Warn
}

/** Everything between a canonical request and the socket. */
export const createTransport = (
  settings: TransportSettings,
  clock: Clock,
  {
    random = Math.random,
    monotonic = () => performance.now(),
    board = settings.stateDir === 'off' ? createMemoryBoard() : createFileBoard(settings.stateDir),
    ledger = createLedger(),
    watches = [],
    warn = () => undefined,
  }: TransportParts = {},
) => {
  const http = createHttp(settings, clock)
  const breaker = createBreaker(clock)
  const pause = createSharedPause(board, (until) => gate.pauseUntil(until))
  const gate = createGate(settings, clock, random, breaker, pause.tell)
  const meter = createMeter(settings.billed)
  const retry = createRetry(clock, random)

  const watched = createWatched(watches, settings.billed, warn)
  const wire = gate.through(meter(watched(http.send)))
  const mint = createMint(sending(wire), clock, ledger, settings.billed.token ? 1 : 0)
  const { stateDir, stateKey } = settings
  const copy =
    board.isElsewhere && stateDir !== 'off'
      ? createCopy(createRecordBook(createFileBoard(stateDir), stateKey), warn)
      : undefined
  const book = createRecordBook(board, stateKey, warn)
  const line = createLine(book, clock, settings.refreshToken, copy)
  const pace = { sleep: clock.sleep, steady: monotonic, random }
  const lease = createLease(board, 'token-lease', pace)
  const token = createToken(line, mint, lease, clock, random, monotonic)
  const step = createSlots(clock)(retry(createBearer(token)(wire)))

  let closing: Promise<void> | undefined
  const close = async () => {
    await token.close()
    gate.close()
    await http.close()
  }

  return {
    step,
    token,
    gate,
    breaker,
    /** Takes in what a board says that was away or emptied, and writes down what it lost. */
    async restore() {
      pause.look()
      if (gate.pausedUntil > clock.now()) pause.tell(gate.pausedUntil)
      await token.restore()
    },
    /** Lets an exchange and its save finish, and what is on the wire. */
    close(): Promise<void> {
      closing ??= close()
      return closing
    },
  }
}

export type Transport = ReturnType<typeof createTransport>
