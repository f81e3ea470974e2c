// The service in a process of its own, behind a proxy that spoils what passes.
import { systemClock } from '../../src/clock.ts'
import { createRoutes } from '../../src/sandbox/route.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { openProxy } from '../../test/support/proxy.ts'
import { createDice } from './dice.ts'
import { answerTo } from './line.ts'
import type { Trouble } from './trouble.ts'

const TOKEN_SECONDS = 60

const findRoute = createRoutes()
/** What a request costs, by its first line; the plan lets calls for a token go free. */
const priceOf = (line: string): number => {
  const [method = '', target = ''] = line.split(' ')
  const { pathname, searchParams } = new URL(target, 'http://service')
  if (pathname === '/api/token') return 0
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
let swallowed = 0

const words = {
  address: () => proxy.url,
  async begin({ trouble, seed }: { readonly trouble: Trouble; readonly seed: number }) {
    const { fault, wrong, share = 1, refuses = false, revokes = false } = trouble
    const dice = createDice(seed)
    if (fault !== undefined) sandbox.faults.inject(...fault)
    if (revokes) sandbox.revokeAccessTokens()
    if (refuses) await proxy.refuse()
    if (wrong === undefined) return
    proxy.play((_exchange, line) => {
      if (dice.roll() >= share) return undefined
      if (wrong.hole === 'request' || wrong.reset === 'request') swallowed += priceOf(line)
      return wrong
    })
  },
  async end() {
    sandbox.faults.clear()
    proxy.play()
    await proxy.accept()
  },
  meter: () => ({
    credits: sandbox.meter.credits,
    /** Credits of requests that were sent and never reached the service. */
    swallowed,
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
