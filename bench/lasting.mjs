// Whether a gateway is as fast after minutes of all workloads as one that has just begun, and keeps to its memory:
// `npm run bench:lasting`. MINUTES, ROUNDS.
import { compare, load, open, openStub, tell } from './gateway/pair.mjs'
import { WORKLOADS } from './gateway/workload.mjs'

const MINUTES = Number(process.env.MINUTES ?? 10)
const ROUNDS = Number(process.env.ROUNDS ?? 40)
const LEAST = 0.9
/** With the cache of 128 MB that each gateway of a bench has. */
const MOST_MB = 350
const WINDOW_MS = 300
const workloads = Object.keys(WORKLOADS)

openStub()
const old = await open('old')
const end = performance.now() + MINUTES * 60_000
let rss = 0
while (performance.now() < end)
  for (const workload of workloads) rss = Math.max(rss, (await load(old, workload, 1_000)).rss)
const fresh = await open('fresh')
// A compiler has its say before anything is compared.
for (const workload of workloads) await load(fresh, workload, 2_000)
tell(await compare([fresh, old], workloads, ROUNDS, WINDOW_MS), [fresh, old], LEAST)
process.stdout.write(`RSS ${rss.toFixed(0)} MB at most\n`)
if (rss > MOST_MB) process.exitCode = 1
process.exit()
