import { expect, onTestFinished } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/server.ts'
import { ask, type Wanted } from '../credits/ask.ts'
import type { createCertificate } from '../support/certificate.ts'
import { openGateway } from '../support/gateway.ts'
import { openProxy } from '../support/proxy.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

export const SECOND = 1_000
export const DAY = 86_400 * SECOND

interface BenchOptions {
  readonly env?: Record<string, string>
  /** A name that leads to this machine, in place of its address. */
  readonly host?: string
  /** A certificate and its key: the service is reached over TLS. */
  readonly tls?: ReturnType<typeof createCertificate>
  readonly sandbox?: Partial<SandboxOptions>
}

export const artist = (cmId: number) => `{ artist(cmId: ${cmId}) { name } }`

/** Turns of the loop until something is so; time stands still meanwhile. */
export const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * A gateway with everything around it on one clock that moves when told, a proxy between it and the
 * sandbox, and at the end of each test the law: what was spent is what the service counted.
 */
export const openBench = async ({ env, host, tls, sandbox: options }: BenchOptions = {}) => {
  const clock = createFakeClock()
  const sandbox = createSandbox({ clock, refreshToken: 'seed', flawedRows: false, ...options })
  const proxy = await openProxy(await sandbox.listen(), {
    sleep: clock.sleep,
    ...(tls && { tls }),
  })
  const url = host === undefined ? proxy.url : proxy.url.replace('127.0.0.1', host)
  const { gateway } = openGateway(url, env, { clock, random: () => 0.5 })
  onTestFinished(async () => {
    proxy.play()
    await gateway.close()
    await proxy.close()
    await sandbox.close()
  })

  const { meter, faults } = sandbox
  const spent = () => gateway.upstream.book.spent
  /** Time goes by, `step` at a time, until work is done; for each step the sockets have `real` milliseconds. */
  const passing = async <T>(work: Promise<T>, step = 50, real = 1): Promise<T> => {
    let isDone = false
    const noted = work.finally(() => {
      isDone = true
    })
    noted.catch(() => undefined)
    while (!isDone) {
      await clock.pass(step)
      await new Promise((resolve) => setTimeout(resolve, real))
    }
    return noted
  }

  return {
    clock,
    gateway,
    proxy,
    meter,
    faults,
    sandbox,
    spent,
    passing,
    ask: (query: string, wanted?: Wanted) => ask({ gateway }, query, wanted),
    /** Several operations at once, each on its own. */
    askAll: (queries: readonly string[], wanted?: Wanted) =>
      Promise.all(queries.map((query) => ask({ gateway }, query, wanted))),
    gate: gateway.transport.gate,
    breaker: gateway.transport.breaker,
    /** An access token is at hand, and what it cost is not counted. */
    warm: () => gateway.transport.token.current({ deadline: clock.now() + 10 * SECOND }),
    /** Answers held to some artists, past the time in which they are renewed in the background. */
    async grow(ids: readonly number[]) {
      await Promise.all(ids.map((id) => ask({ gateway }, artist(id))))
      await clock.pass(3 * DAY)
      await gateway.transport.token.current({ deadline: clock.now() + 10 * SECOND })
    },
    /** The ledger is the service's own meter. */
    balances() {
      expect(spent()).toBe(meter.credits)
      return meter.credits
    },
  }
}

export const codesOf = (answers: readonly Awaited<ReturnType<typeof ask>>[]) =>
  answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code))

export const range = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index)
