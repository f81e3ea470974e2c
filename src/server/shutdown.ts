import type { Clock } from '../upstream/transport/send.ts'

/** Time for a balancer to notice that the process is not ready, and for connections to end by themselves. */
export const DRAIN_MS = 5_000
const FINISH_MS = 20_000
const HARD_STOP_MS = 35_000
/** An exchange of tokens takes no longer, its save included. */
const TOKEN_MS = 11_000

interface Closing {
  close(): Promise<void>
}

export interface ShutdownParts {
  readonly server: Closing & { drain(): void; cut(): void }
  /** Its token's close lets an exchange under way, and its save, come to their end. */
  readonly gateway: Closing & { readonly transport: { readonly token: Closing } }
  /** Closed last. */
  readonly others?: readonly Closing[]
  readonly clock: Clock
  readonly exit: (code: number) => void
}

/** Ends a process so that no answer is cut and no refresh token is lost. */
export const createShutdown = (parts: ShutdownParts) => {
  const { server, gateway, others = [], clock, exit } = parts
  let isLeaving = false

  const leaveAtOnce = async () => {
    server.drain()
    await Promise.race([gateway.transport.token.close(), clock.sleep(TOKEN_MS)])
    exit(1)
  }

  const leave = async (drainMs: number) => {
    void clock.sleep(HARD_STOP_MS).then(() => exit(1))
    server.drain()
    await clock.sleep(drainMs)
    await Promise.race([server.close(), clock.sleep(FINISH_MS)])
    server.cut()
    await gateway.close()
    for (const other of others) await other.close()
    exit(0)
  }

  return {
    /** After a signal; a second one waits for no answer. */
    stop(drainMs: number): Promise<void> {
      if (isLeaving) return leaveAtOnce()
      isLeaving = true
      return leave(drainMs)
    },
    /** After a fault that nobody caught: nothing that the process holds can be trusted any more, but for its token. */
    crash: leaveAtOnce,
  }
}

/** Where signals are heard: the process. */
interface Hearing {
  on(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: () => void): unknown
}

/** Stops what it is told to, once for the first signal and again for a second that cuts it short. */
export const onSignals = (program: Hearing, stop: (afterMs: number) => void): void => {
  let isHungUp = false
  let isTold = false
  const tell = (afterMs: number) => {
    // What a hang-up began goes on: to be told twice is what cuts it short.
    if (isTold || !isHungUp) stop(afterMs)
    isTold = true
  }
  program.on('SIGTERM', () => tell(DRAIN_MS))
  // Whoever sits at a terminal waits for it, and no balancer does.
  program.on('SIGINT', () => tell(0))
  // A terminal that goes away may say so twice, before whoever stops the process or behind.
  program.on('SIGHUP', () => {
    if (!isHungUp && !isTold) stop(DRAIN_MS)
    isHungUp = true
  })
}
