// Two gateways that differ in one thing, asked in turns through many short windows: what else runs on a machine slows both
// of a round alike, and of the rounds the median counts.
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { median } from './median.mjs'
import { cpuMs, rssMb, start, startGateway } from './process.mjs'
import { bodyOf, WORKLOADS } from './workload.mjs'

const HERE = new URL('.', import.meta.url).pathname
const STUB = 4410
const CORE = { gateway: 0, stub: 1 }
const CONNECTIONS = 16
const MOST_TURNED_AWAY = 0.02
const HEADERS = { 'content-type': 'application/json', accept: 'application/json' }
let port = STUB

export const openStub = (latencyMs = 0) => {
  start(CORE.stub, ['node', `${HERE}stub.mjs`], { PORT: STUB, LATENCY_MS: latencyMs })
}

/** Starts a gateway and waits until it answers; `headers` go with each operation. */
export const open = async (name, env = {}, headers = {}) => {
  port += 1
  const own = { CACHE_MAX_MB: '128', ...env }
  const pid = startGateway(CORE.gateway, port, `http://127.0.0.1:${STUB}`, own)
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS })
  const told = { ...HEADERS, ...headers }
  const ask = async (body) => {
    const answer = await pool.request({ path: '/graphql', method: 'POST', headers: told, body })
    const text = await answer.body.text()
    return { text, isWhole: answer.statusCode === 200 && !text.includes('"errors"') }
  }
  for (let tries = 0; ; tries++)
    try {
      await ask('{"query":"{__typename}"}')
      break
    } catch (failure) {
      if (tries === 300) throw failure
      await wait(100)
    }
  return { name, pid, ask, adminPort: port + 50, asked: new Map() }
}

/** Asks one workload for a while; each operation is new to the gateway where the workload says so. */
export const load = async ({ ask, pid, asked }, workload, ms) => {
  const { connections = CONNECTIONS } = WORKLOADS[workload]
  const walks =
    asked.get(workload) ?? Array.from({ length: connections }, () => ({ n: 0, last: '' }))
  asked.set(workload, walks)
  const [end, cpu] = [performance.now() + ms, cpuMs(pid)]
  let [operations, failed] = [0, 0]
  const walk = async (state, own) => {
    while (performance.now() < end) {
      const n = 1000 + (workload === 'W2cold' ? own * 400 : own * 20_000) + state.n++
      const { text, isWhole } = await ask(bodyOf(workload, n, state.last, false))
      state.last = text
      if (isWhole) operations++
      else failed++
    }
  }
  await Promise.all(walks.map(walk))
  return {
    perCpuSecond: operations / ((cpuMs(pid) - cpu) / 1000),
    operations,
    failed,
    rss: rssMb(pid),
  }
}

/** Of each workload the operations per CPU-second of both, and the second's share of the first's. */
export const compare = async (gateways, workloads, rounds, ms) => {
  const compared = []
  for (const workload of workloads) {
    const [first, second, share] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      const windows = []
      for (const place of round % 2 === 0 ? [0, 1] : [1, 0])
        windows[place] = await load(gateways[place], workload, ms)
      // One that is turned away costs little, and many of them would pass for speed.
      if (windows.some(({ operations, failed }) => failed > operations * MOST_TURNED_AWAY)) continue
      const [was, is] = windows.map(({ perCpuSecond }) => perCpuSecond)
      first.push(was)
      second.push(is)
      share.push(is / was)
    }
    compared.push({
      workload,
      first: median(first),
      second: median(second),
      share: median(share),
    })
  }
  return compared
}

/** Prints how the second fares against the first; fails where it falls below `least`. */
export const tell = (compared, [first, second], least) => {
  const say = (line) => process.stdout.write(`${line}\n`)
  say(`| | ${first.name}, per CPU-second | ${second.name} | of it |\n|---|---|---|---|`)
  for (const { workload, first, second, share } of compared) {
    say(`| ${workload} | ${first.toFixed(0)} | ${second.toFixed(0)} | ${share.toFixed(2)} |`)
    if (!(share >= least)) process.exitCode = 1
  }
  if (process.exitCode) say(`less than ${least} of ${first.name}`)
}
