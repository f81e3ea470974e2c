import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import type { Strain } from '../../src/load.ts'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/server.ts'
import { ask, HOUR } from '../credits/ask.ts'
import { createCertificate, trust } from '../support/certificate.ts'
import { openGateway } from '../support/gateway.ts'
import { openProxy, type Wrong } from '../support/proxy.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const QUERY = `{
  artist(cmId: 5) { name rank }
  search(query: "river") { artists(first: 3) { nodes { name } } }
  playlists(platform: PLAT_B, first: 3) { nodes { name } }
}`
export const PARTS = 3
const STEP_MS = 250
/** What the loop waits for and does not see yet: a name, a connection, a file, something to pack. */
const UNDER_WAY = /Req|ConnectWrap|WriteWrap|ShutdownWrap|ZLIB|Zlib/
const QUIET_TURNS = 20

/** What was unpacked before is unpacked by then: nothing else shows that a body is being unpacked. */
const unpacked = promisify(gunzip)
const NOTHING = gzipSync('')

/** Nothing comes any more, however long this machine takes for it: service, proxy and gateway are all in this process. */
const quiet = async () => {
  await Promise.all(Array.from({ length: 8 }, () => unpacked(NOTHING)))
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (process.getActiveResourcesInfo().some((name) => UNDER_WAY.test(name))) turns = 0
  }
}
export const ENDS = (): Wrong => ({ ends: true })
export const AT_EASE: Strain = { delayMs: 10, heapShare: 0.2 }

export const certificates = {
  good: createCertificate(),
  expired: createCertificate({ until: new Date(Date.now() - HOUR) }),
  elsewhere: createCertificate({ host: 'elsewhere.example' }),
}

export interface WarmedHow {
  readonly env?: Readonly<Record<string, string>>
  /** Whether the service is reached over TLS. */
  readonly secure?: boolean
  readonly rotation?: NonNullable<SandboxOptions['rotation']>
}

/** A gateway behind a proxy that has just answered. */
export const warmed = async ({ env = {}, secure = false, rotation = 'strict' }: WarmedHow = {}) => {
  const clock = createFakeClock(Date.parse('2026-03-10T06:00:00Z'))
  const sandbox = createSandbox({ clock, refreshToken: 'seed', flawedRows: false, rotation })
  const tls = secure ? { tls: certificates.good } : {}
  // No connection outlives its answer, so that each fault finds a new one to befall.
  const proxy = await openProxy(await sandbox.listen(), {
    ...tls,
    script: ENDS,
    sleep: clock.sleep,
  })
  if (secure) onTestFinished(trust(Object.values(certificates)))
  const url = secure ? proxy.url : proxy.url.replace('127.0.0.1', 'localhost')
  let strain = AT_EASE
  const opened = openGateway(url, env, { clock, random: () => 0, strain: () => strain })
  onTestFinished(async () => {
    await opened.gateway.close()
    await proxy.close()
    await sandbox.close()
  })
  /** Time goes by for who waits, and only where nothing else is left to wait for. */
  const passing = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false
    const end = () => {
      isDone = true
    }
    work.then(end, end)
    for (;;) {
      await quiet()
      if (isDone) return work
      await clock.pass(STEP_MS)
    }
  }
  const whole = await passing(ask(opened, QUERY))
  expect(whole.errors).toEqual([])
  expect(whole.credits.spent).toBe(PARTS)
  const asked: Promise<unknown>[] = []
  const others: (() => void)[] = []
  return {
    sandbox,
    proxy,
    whole,
    ask: (query = QUERY) => passing(ask(opened, query)),
    /** Asks, and lets no time go by for the answer. */
    pose(query: string) {
      asked.push(ask(opened, query))
    },
    /** Everything that was posed is answered. */
    idle: () => passing(Promise.all(asked)),
    waiting: () => opened.gateway.transport.gate.waiting,
    /** So many operations of others have sent for something. */
    crowd(count: number) {
      const { during, admit, release } = opened.gateway.load
      for (const leave of others.splice(0)) leave()
      for (let at = 0; at < count; at += 1) {
        const operation = { client: undefined, deadline: Number.POSITIVE_INFINITY }
        void during(operation, () => {
          admit(operation)
          release(operation)
          return new Promise<void>((leave) => others.push(leave))
        })
      }
    },
    /** The process is as it is told, and has noticed. */
    async suffer(next: Strain) {
      strain = next
      await clock.pass(5_000)
    },
    spent: () => opened.gateway.upstream.book.spent,
    advance: clock.jump,
  }
}

export type Warmed = Awaited<ReturnType<typeof warmed>>
