// What clients who send or read slowly cost all others: their p99 beside such clients and without, in turns on one gateway.
// `npm run bench:readers`; fails above twice. ROUNDS.
import { fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { open, openStub } from '../gateway/pair.mjs'
import { bodyOf, LARGE, SMALL } from './question.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const MOST = 2
const LEAST_BYTES = 5_000_000
const WINDOW_MS = 6_000
const BETWEEN_MS = 5
/** A gateway that was under strain as they came is at ease again. */
const SETTLED_MS = 4_000
/** Rows S4 and S8 of the faults: a thousand of each who send a byte a second, a hundred who read 5 MB. */
const CROWDS = {
  S4: [
    ['heads', 1000],
    ['bodies', 1000],
  ],
  S8: [['readers', 100]],
}
const CONNECTIONS = 16
const SLOW = new URL('slow.mjs', import.meta.url).pathname

openStub()
const gateway = await open('gateway', { CACHE_MAX_MB: '512' })
const url = `http://127.0.0.1:${gateway.adminPort - 50}`

/** Milliseconds of the slowest of a hundred: asked at a steady pace, whatever becomes of those before. */
const p99 = async () => {
  const took = []
  const ask = async () => {
    const since = performance.now()
    const { isWhole } = await gateway.ask(bodyOf(SMALL)).catch(() => ({ isWhole: false }))
    // Who is turned away, as on a machine that is busy with other things, is not answered quickly.
    took.push(isWhole ? performance.now() - since : Number.POSITIVE_INFINITY)
  }
  const asked = []
  for (const end = performance.now() + WINDOW_MS; performance.now() < end; ) {
    asked.push(ask())
    await wait(BETWEEN_MS)
  }
  await Promise.all(asked)
  took.sort((a, b) => a - b)
  return took[Math.floor(took.length * 0.99)]
}

const beside = async (crowd) => {
  // Who asks has its connections before the crowd takes all that are left.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => gateway.ask(bodyOf(SMALL))))
  const slow = crowd.map(([kind, count]) => fork(SLOW, [kind, url, String(count)]))
  const there = slow.map(
    (child) =>
      new Promise((resolve, reject) => child.once('message', resolve).once('exit', reject)),
  )
  await Promise.all(there)
  await wait(SETTLED_MS)
  const measured = await p99()
  for (const child of slow) child.kill('SIGKILL')
  await wait(1_000)
  return measured
}

const say = (line) => process.stdout.write(`${line}\n`)
const { text, isWhole } = await gateway.ask(bodyOf(LARGE))
if (!isWhole || text.length < LEAST_BYTES) throw new Error(`${text.length} bytes to read slowly`)
await p99()
say('| | p99 of others without, ms | beside them, ms | ratio |\n|---|---|---|---|')
for (const [row, crowd] of Object.entries(CROWDS)) {
  let [alone, crowded] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // The best of some windows, since what else runs on a machine only ever slows.
  for (let round = 0; round < ROUNDS; round++) {
    alone = Math.min(alone, await p99())
    crowded = Math.min(crowded, await beside(crowd))
  }
  const ratio = crowded / alone
  say(`| ${row} | ${alone.toFixed(1)} | ${crowded.toFixed(1)} | ${ratio.toFixed(2)} |`)
  if (!(ratio <= MOST)) process.exitCode = 1
}
process.exit()
