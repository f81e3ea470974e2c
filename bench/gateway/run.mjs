// The gateway beside the floors and its peers: `npm run bench`. All live at once and take turns; medians of all rounds.
// ROUNDS, SECONDS of a window, WARM_UP_SECONDS before the first, LATENCY_MS of the service, WORKLOADS by comma.
import { setTimeout as wait } from 'node:timers/promises'
import { bodyFor } from '../peers/query.mjs'
import { chosen } from './chosen.mjs'
import { median } from './median.mjs'
import { cpuMs, rssMb, run, start } from './process.mjs'
import { startAll } from './target.mjs'
import { WORKLOADS } from './workload.mjs'

const { ROUNDS = '5', SECONDS = '2', WARM_UP_SECONDS = '4', LATENCY_MS = '0' } = process.env
const names = chosen('WORKLOADS', Object.keys(WORKLOADS))
const HERE = new URL('.', import.meta.url).pathname
const STUB = 4310
const UPSTREAM = `http://127.0.0.1:${STUB}`
const LOAD = 1
const CONNECTIONS = 16
const HERD = 40
/** Looks at whether a process listens, ten a second. */
const TRIES = 600

start(LOAD, ['node', `${HERE}stub.mjs`], { PORT: STUB, LATENCY_MS })
const credits = async () => (await (await fetch(`${UPSTREAM}/meter`)).json()).credits
const ask = async ({ name, url }, workload, n) => {
  const body = bodyFor(name)(workload, n, '')
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  return (await fetch(url(workload), { method: 'POST', headers, body })).text()
}
for (let tries = 0; tries < TRIES; tries++)
  try {
    await credits()
    break
  } catch {
    await wait(100)
  }
const targets = startAll(UPSTREAM)
const listening = async (target) => {
  for (let tries = 0; tries < TRIES; tries++)
    try {
      return await ask(target, 'W1', 0)
    } catch {
      await wait(100)
    }
  throw new Error(`${target.name} does not listen`)
}
for (const target of targets) await listening(target)

/** What each target was asked already, so that a cold operation is new to it. */
const windows = new Map()
const load = ({ name, url }, workload, seconds) => {
  const { stride, connections = CONNECTIONS } = WORKLOADS[workload]
  const window = windows.get(`${name} ${workload}`) ?? 0
  windows.set(`${name} ${workload}`, window + 1)
  const first = 1000 + stride * window
  const told = [name, url(workload), workload, seconds * 1000, connections, first].map(String)
  return run(LOAD, ['node', `${HERE}load.mjs`, ...told])
}

const measure = async (target, workload) => {
  const { pid } = target
  const [cpu, paid] = [cpuMs(pid), await credits()]
  const { operations, failed, p50, p99 } = await load(target, workload, Number(SECONDS))
  return {
    perCpuSecond: operations / ((cpuMs(pid) - cpu) / 1000),
    perSecond: operations / Number(SECONDS),
    credits: ((await credits()) - paid) / operations,
    failed,
    p50,
    p99,
    rss: rssMb(pid),
  }
}

const herd = async (target, workload) => {
  const paid = await credits()
  await Promise.all(Array.from({ length: HERD }, () => ask(target, workload, 999)))
  return (await credits()) - paid
}

const say = (line) => process.stdout.write(`${line}\n`)
const found = new Map()
for (const workload of names)
  for (const target of targets) found.set(`${workload} ${target.name}`, [])
for (const workload of names)
  for (const target of targets) await load(target, workload, Number(WARM_UP_SECONDS))
for (let round = 0; round < Number(ROUNDS); round++)
  for (const workload of names)
    for (const [place] of targets.entries()) {
      const target = targets[(place + round) % targets.length]
      found.get(`${workload} ${target.name}`).push(await measure(target, workload))
    }

for (const workload of names) {
  const of = (name, key) => median(found.get(`${workload} ${name}`).map((round) => round[key]))
  say(`\n**${workload}**, ${WORKLOADS[workload].title}\n`)
  say(
    '| | per CPU-second, of floor-undici | of floor-bytes | credits | 40 at once | per second | p50 ms | p99 ms | RSS MB | failed |',
  )
  say('|---|---|---|---|---|---|---|---|---|---|')
  for (const target of targets) {
    const speeds = (name) => found.get(`${workload} ${name}`).map((round) => round.perCpuSecond)
    // Of each round its own: what else runs on the machine slows both.
    const share = (floorName) => {
      const floors = speeds(floorName)
      return median(speeds(target.name).map((speed, round) => speed / floors[round])).toFixed(2)
    }
    const told = [
      share('floor-undici'),
      share('floor-bytes'),
      of(target.name, 'credits').toFixed(2),
    ]
    const more = [
      await herd(target, workload),
      of(target.name, 'perSecond').toFixed(0),
      of(target.name, 'p50').toFixed(1),
      of(target.name, 'p99').toFixed(1),
      of(target.name, 'rss').toFixed(0),
    ]
    say(`| ${[target.name, ...told, ...more, of(target.name, 'failed')].join(' | ')} |`)
  }
}
process.exit(0)
