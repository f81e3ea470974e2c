// The gateway and the service as processes, clients of all sorts, and one trouble after the other.
// `npm run soak -- --minutes 30 --seed 7`; ends with 1 where something came about that must not.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createCalm } from './calm.ts'
import { createDice } from './dice.ts'
import { startGateway } from './gateway.ts'
import { startLine } from './line.ts'
import { createTraffic } from './traffic.ts'
import { TROUBLES, type Trouble } from './trouble.ts'
import type { UpstreamWords } from './upstream.ts'
import { createWatch } from './watch.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Two probes of a breaker that has been open for long, and the least time between two exchanges. */
const RECOVERY_MS = 130 * SECOND
/** Longer than the last attempt that began while it went wrong, and the probe after it. */
const STEADY_MS = 5 * SECOND
const FORGOTTEN_MS = 20 * MINUTE

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
const ends = Date.now() + Number(values.minutes) * MINUTE
const print = (line: string) => void process.stdout.write(`${line}\n`)
print(`soak of ${values.minutes} minutes, seed ${seed}`)

const dice = createDice(seed)
const stateDir = await mkdtemp(join(tmpdir(), 'refrain-soak-'))
const service = startLine<UpstreamWords>(new URL('./upstream.js', import.meta.url))
const gateway = await startGateway(await service.ask('address'), stateDir)
const watch = createWatch(print)
const calm = createCalm(gateway, service, watch)
const traffic = createTraffic(gateway.url, seed, watch)
let ahead = 0
let slowest = 0

const isWell = async (): Promise<boolean> => {
  const { token, pausedUntil, leftAlone } = await gateway.health()
  return token === 'VALID' && pausedUntil === null && leftAlone.length === 0
}

const advance = async (ms: number) => {
  await calm.settle()
  await gateway.line.ask('advance', ms)
  ahead += ms
}

/** Until all is as before, and what finds that out is through; how long that took. */
const recover = async (): Promise<number> => {
  const began = Date.now()
  let well = began
  while (Date.now() - well < STEADY_MS) {
    if (!(await isWell())) well = Date.now()
    if (Date.now() - began > RECOVERY_MS) {
      watch.breach(`not well after ${RECOVERY_MS} ms: ${JSON.stringify(await gateway.health())}`)
      break
    }
    await wait(250)
  }
  return well - began
}

const suffer = async (trouble: Trouble, round: number) => {
  const { name, codes = [], overrules = false, remembered = false, long = false } = trouble
  watch.enter(name)
  await service.ask('begin', { trouble, seed: seed + round })
  traffic.expect({ codes, overrules })
  traffic.start(round)
  await wait(long ? dice.int(20, 30) * SECOND : dice.int(4, 10) * SECOND)
  await service.ask('end')
  if (remembered) {
    await traffic.stop()
    await advance(FORGOTTEN_MS)
    traffic.start(round + 0.5)
  }
  const took = await recover()
  slowest = Math.max(slowest, took)
  traffic.expect({ codes: [], overrules: false })
  await wait(3 * SECOND)
  await traffic.stop()
  // What the service overruled is bought again, not told by other answers.
  await traffic.askHot(overrules ? { 'cache-control': 'no-cache' } : {})
  await calm.look(trouble)
  return took
}

void calm.attend()
await traffic.askHot()
await traffic.fill()
let round = 0
let deck: Trouble[] = []
for (; Date.now() < ends && gateway.line.ended === undefined; round += 1) {
  // Each once, in another order, before any comes again.
  if (deck.length === 0) deck = dice.shuffled(TROUBLES)
  const trouble = deck.pop()
  if (trouble === undefined) break
  const took = await suffer(trouble, round)
  const jump = dice.roll() < 0.5 ? dice.int(1, 26) * HOUR : 0
  if (jump > 0) await advance(jump)
  await calm.settle()
  const { spent } = await gateway.ledger()
  print(
    `${String(round).padStart(3)} ${trouble.name.padEnd(44)} well after ${(took / SECOND).toFixed(1)} s, ledger ${spent}${jump > 0 ? `, then ${jump / HOUR} h pass` : ''}`,
  )
}

watch.enter('end')
await calm.settle()
const [meter, ledger] = await Promise.all([service.ask('meter'), gateway.ledger()])
const { cpuMs, warnings } = await gateway.line.ask('state')
if (warnings > 0) watch.breach(`${warnings} warnings of Node`)
const printed = gateway.line.printed
if (/soak-refresh-token|sandbox-(refresh|access)-\d/.test(printed))
  watch.breach('a token was logged')
const code = await gateway.line.stop()
if (code !== 0) watch.breach(`the gateway left with ${code}: ${printed.slice(-2_000)}`)
if (/uncaught|unhandled/i.test(gateway.line.printed))
  watch.breach(gateway.line.printed.slice(-2_000))

print('')
watch.print()
print(
  `rounds: ${round}; ${(ahead / HOUR).toFixed(1)} h passed by jumps; slowest recovery ${slowest / SECOND} s`,
)
for (const line of calm.end()) print(line)
print(`CPU of the gateway: ${(cpuMs / SECOND).toFixed(1)} s`)
print(
  `service: ${meter.requests} requests over ${meter.connections} connections, at most ${meter.mostAtOnce} at once; ${meter.tokenCalls} token calls, ${meter.tokenRefusals} refused`,
)
print('ledger')
for (const { name, spent } of ledger.byEndpoint) print(`  ${name.padEnd(32)}${spent}`)
print(
  `  ${'all'.padEnd(32)}${ledger.spent}, of these in the background ${ledger.backgroundSpent}; saved ${ledger.saved}`,
)
print(
  `  ${'the meter of the service'.padEnd(32)}${meter.credits}, and ${calm.lost} that never arrived`,
)
print(`lines of log: ${printed.split('\n').filter((line) => line.startsWith('{')).length}`)

await service.stop()
await rm(stateDir, { recursive: true, force: true })
print(
  watch.breaches.length === 0
    ? `green, seed ${seed}`
    : `RED: ${watch.breaches.length} breaches, seed ${seed}`,
)
process.exitCode = watch.breaches.length === 0 ? 0 : 1
