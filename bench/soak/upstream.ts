// The service in a process of its own, behind a proxy that spoils what passes.
import { systemClock } from '../../src/clock.ts'
import { createRoutes } from '../../src/sandbox/route.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { openProxy } from '../../test/support/proxy.ts'
import { createDice } from './dice.ts'
import { answerTo } from './line.ts'
import type { Trouble } from './trouble.ts'

const TOKEN_SECONDS = 60

/** A request that the gateway wrote: its first line, how often, and how often nothing came back. */
interface Written {
  readonly line: string
  readonly sent: number
  readonly unanswered: number
}

const findRoute = createRoutes()
const targetOf = (line: string) => line.slice(line.indexOf(' ') + 1)
/** What a request costs, by its first line. */
const priceOf = (line: string): number => {
  const [method = '', target = ''] = line.split(' ')
  const { pathname, searchParams } = new URL(target, 'http://service')
  return findRoute(method, pathname, searchParams)?.endpoint.credits ?? 1
}

const sandbox = createSandbox({
  clock: systemClock,
  refreshToken: 'soak-refresh-token',
  // An answer that is lost on its way has used the token up: a service that forgives it needs no operator.
  rotation: 'grace',
  tokenLifetime: TOKEN_SECONDS,
  latencyMs: 5,
})
const proxy = await openProxy(await sandbox.listen())
/** Of the requests that came, how many were compared with what was written. */
let compared = 0

const words = {
  address: () => proxy.url,
  async begin({ trouble, seed }: { readonly trouble: Trouble; readonly seed: number }) {
    const { fault, wrong, share = 1, refuses = false, revokes = false } = trouble
    const dice = createDice(seed)
    if (fault !== undefined) sandbox.faults.inject(...fault)
    if (revokes) sandbox.revokeAccessTokens()
    if (refuses) await proxy.refuse()
    if (wrong === undefined) return
    proxy.play(() => (dice.roll() < share ? wrong : undefined))
  },
  async end() {
    sandbox.faults.clear()
    proxy.play()
    await proxy.accept()
  },
  /**
   * Which of the requests that the gateway wrote never came here, and what they would have cost. Each of them must be
   * one that nothing came back to: whatever broke its connection, it is charged, for the gateway cannot know.
   */
  compare(written: readonly Written[]) {
    const came = new Map<string, number>()
    for (const { path } of sandbox.meter.requests.slice(compared))
      came.set(path, (came.get(path) ?? 0) + 1)
    compared = sandbox.meter.requests.length
    const calls = written.filter(({ line }) => !line.endsWith('/api/token'))
    const missing = calls.map(({ line, sent, unanswered }) => ({
      line,
      unanswered,
      lost: sent - (came.get(targetOf(line)) ?? 0),
    }))
    return {
      credits: missing.reduce((sum, { line, lost }) => sum + lost * priceOf(line), 0),
      wrong: missing.filter(({ lost, unanswered }) => lost < 0 || lost > unanswered),
    }
  },
  meter: () => ({
    credits: sandbox.meter.credits,
    requests: sandbox.meter.requests.length,
    refused: sandbox.meter.requests.filter(({ status }) => status === 401).length,
    tokenCalls: sandbox.meter.tokenCalls,
    tokenRefusals: sandbox.meter.tokenRefusals,
    connections: proxy.connections,
    mostAtOnce: proxy.most,
  }),
}

export type UpstreamWords = typeof words

answerTo(words)
process.on('disconnect', () => process.exit(0))
