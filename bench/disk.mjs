// How long the disk tier holds up the event loop: 2,000 answers of 8 to 64 kB written with their lore as they come, within a
// bound that makes it empty itself meanwhile. `npm run bench:disk`.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep, setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { createDisk } from '../dist/upstream/disk.js'

const ANSWERS = Number(process.env.ANSWERS ?? 2_000)
const LORE = 100
const folder = await mkdtemp(join(tmpdir(), 'refrain-bench-'))
const disk = createDisk(folder, 32 * 1024 * 1024)
const texts = Array.from({ length: 8 }, (_, at) => randomBytes(6_000 * (at + 1)).toString('base64'))
const print = (line) => process.stdout.write(`${line}\n`)
const ms = (nanoseconds) => (nanoseconds / 1e6).toFixed(1)

/** Delays of the loop while something is done over and over, and until it has settled. */
const measured = async (what, work, settled) => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const begun = performance.now()
  for (let at = 0; at < ANSWERS; at++) {
    work(at)
    await turnOfTheLoop()
  }
  await settled()
  delay.disable()
  const [p50, p99, p999] = [50, 99, 99.9].map((share) => ms(delay.percentile(share)))
  const took = Math.round(performance.now() - begun)
  print(`${what}: ${took} ms; p50 ${p50}, p99 ${p99}, p99.9 ${p999}, max ${ms(delay.max)}`)
}

const answerOf = (at) => [
  {
    key: `key ${at}`,
    endpoint: 'artist',
    args: {},
    at,
    status: 200,
    text: texts[at % texts.length],
  },
  { freshUntil: at + 1, usableUntil: at + 2 },
  Array.from({ length: LORE }, (_, one) => ({
    thing: `artist:${at * LORE + one}`,
    columns: ['name', 'imageUrl'],
  })),
]

print(`delay of the event loop in ms, ${ANSWERS} answers of 8 to 64 kB`)
// A machine that is busy with other things delays the loop too: so much of the second line is not the disk's.
await measured('made and thrown away', answerOf, () => sleep(3_000))
await measured(
  'written',
  (at) => disk.put(...answerOf(at)),
  () => disk.settle(),
)
print(`${disk.size} left within the bound`)
await disk.close()
await rm(folder, { recursive: true })
