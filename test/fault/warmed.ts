import { expect, onTestFinished } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/server.ts'
import { ask, HOUR } from '../credits/ask.ts'
import { createCertificate, trust } from '../support/certificate.ts'
import { openGateway } from '../support/gateway.ts'
import { hurriedClock } from '../support/hurry.ts'
import { openProxy, type Wrong } from '../support/proxy.ts'

const QUERY = `{
  artist(cmId: 5) { name rank }
  search(query: "river") { artists(first: 3) { nodes { name } } }
  playlists(platform: PLAT_B, first: 3) { nodes { name } }
}`
export const PARTS = 3
export const ENDS = (): Wrong => ({ ends: true })

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
  const { clock, advance, run } = hurriedClock('2026-03-10T06:00:00Z')
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
  const opened = openGateway(url, env, { clock, random: () => 0 })
  onTestFinished(async () => {
    await opened.gateway.close()
    await proxy.close()
    await sandbox.close()
  })
  const whole = await ask(opened, QUERY)
  expect(whole.errors).toEqual([])
  expect(whole.credits.spent).toBe(PARTS)
  const asked: Promise<unknown>[] = []
  return {
    sandbox,
    proxy,
    whole,
    ask(query = QUERY) {
      const answer = ask(opened, query)
      asked.push(answer)
      return answer
    },
    /** Everything that was asked is answered. */
    idle: () => Promise.all(asked),
    waiting: () => opened.gateway.transport.gate.waiting,
    spent: () => opened.gateway.upstream.book.spent,
    advance,
    run,
  }
}

export type Warmed = Awaited<ReturnType<typeof warmed>>
