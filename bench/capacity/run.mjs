// What one replica serves, and how that grows: `npm run bench:capacity`. ROUNDS; PARTS by comma; a redis-server for the last.
import { setTimeout as wait } from 'node:timers/promises'
import { cpuMs, run, start } from '../gateway/process.mjs'
import { open, untilAnswers } from './replica.mjs'

const { ROUNDS = '5' } = process.env
const HERE = new URL('.', import.meta.url).pathname
const LOAD = 1
const STUB = 4610
const UPSTREAM = `http://127.0.0.1:${STUB}`
const CONNECTIONS = 16

start(LOAD, ['node', `${HERE}../gateway/stub.mjs`], { PORT: STUB, LATENCY_MS: '0' })
await untilAnswers(`${UPSTREAM}/meter`)

const say = (line) => process.stdout.write(`${line}\n`)
const table = (title, head, rows) => {
  say(`\n${title}\n\n| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`)
  for (const row of rows) say(`| ${row.join(' | ')} |`)
}
const whole = (number) => Math.round(number).toLocaleString('en')
const credits = async () => (await (await fetch(`${UPSTREAM}/meter`)).json()).credits

/** Where the next cold window of a workload begins. */
const fresh = new Map()

/** Asks replicas in turn, and tells what that cost them. */
const load = async (replicas, workload, operations, how = {}) => {
  const { distinct = 0, first, connections = CONNECTIONS } = how
  const begin = first ?? (distinct === 0 ? (fresh.get(workload) ?? 0) : 0)
  if (distinct === 0) fresh.set(workload, begin + operations)
  const cpu = () => replicas.reduce((sum, replica) => sum + replica.cpu(), 0)
  const [before, paid] = [cpu(), await credits()]
  const [{ clients }] = replicas
  const urls = replicas.map(({ url }) => url).join()
  const numbers = [operations, connections, begin, distinct, clients].map(String)
  const told = await run(LOAD, ['node', `${HERE}load.mjs`, urls, workload, ...numbers])
  if (told.failed > 0) say(`(${workload}: ${told.failed} of ${operations} were refused)`)
  const spent = (await credits()) - paid
  return { ...told, spent, begin, perCpuSecond: told.operations / ((cpu() - before) / 1000) }
}

const WORKLOADS = [
  ['W1', 'one artist, cold', 2_000, 0],
  ['W2cold', 'a chart of 100 rows with 60 artists, cold', 200, 0],
  ['W2hot', 'the same again', 20_000, 1],
  ['W3', 'artist, track and album, hot', 20_000, 1],
]

/** The bare gateway beside one with keys, a log and a scrape every five seconds, in turns. */
const oneReplica = async () => {
  const bare = await open(4611, UPSTREAM)
  const full = await open(4612, UPSTREAM, { clients: 100, LOG_LEVEL: 'info' })
  const scrapes = setInterval(() => full.scrape(), 5000)
  const found = new Map()
  for (const [workload, , operations, distinct] of WORKLOADS)
    for (let round = 0; round <= Number(ROUNDS); round++)
      for (const replica of round % 2 === 0 ? [bare, full] : [full, bare]) {
        const { perCpuSecond, p50, p99 } = await load([replica], workload, operations, { distinct })
        const key = `${workload} ${replica.url}`
        // The first is for the compiler.
        if (round > 0) found.set(key, [...(found.get(key) ?? []), { perCpuSecond, p50, p99 }])
      }
  clearInterval(scrapes)
  const of = (workload, { url }, key) => found.get(`${workload} ${url}`).map((round) => round[key])
  table(
    '**One replica**, 16 connections',
    [
      '',
      'bare, per CPU-second',
      'with keys, log and metrics',
      'share that these cost',
      'p50 / p99 ms',
    ],
    WORKLOADS.map(([workload, title]) => {
      // The best of the rounds: whatever else runs on the machine only takes away.
      const [without, withAll] = [bare, full].map((one) =>
        Math.max(...of(workload, one, 'perCpuSecond')),
      )
      const [p50, p99] = ['p50', 'p99'].map((key) =>
        Math.min(...of(workload, full, key)).toFixed(1),
      )
      const share = `${Math.round((1 - withAll / without) * 100)} %`
      return [title, whole(without), whole(withAll), share, `${p50} / ${p99}`]
    }),
  )
  say(`\nMemory afterwards: ${whole(bare.rss())} MB bare, ${whole(full.rss())} MB with all.`)
  bare.close()
  full.close()
}

const byConnections = async () => {
  const rows = []
  for (const connections of [1, 16, 64, 256]) {
    const replica = await open(4615, UPSTREAM)
    await load([replica], 'W3', 10_000, { distinct: 1, connections })
    const hot = await load([replica], 'W3', 20_000, { distinct: 1, connections })
    await load([replica], 'W1', 1_000, { connections })
    const cold = await load([replica], 'W1', 2_000, { connections })
    const times = ({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`
    const [hotRate, coldRate] = [hot, cold].map(({ perCpuSecond }) => whole(perCpuSecond))
    rows.push([connections, hotRate, times(hot), coldRate, times(cold), whole(replica.rss())])
    replica.close()
    await wait(300)
  }
  const head = [
    'connections',
    'hot, per CPU-second',
    'p50 / p99 ms',
    'cold, per CPU-second',
    'p50 / p99 ms',
    'MB',
  ]
  table('**Connections**: artist, track and album, hot; then one artist, cold', head, rows)
}

const byClients = async () => {
  const rows = []
  for (const clients of [1, 100, 1_000, 10_000]) {
    const replica = await open(4620, UPSTREAM, { clients })
    const begun = replica.rss()
    await load([replica], 'W3', 2 * clients + 4_000, { distinct: 1 })
    const { perCpuSecond } = await load([replica], 'W3', 10_000, { distinct: 1 })
    rows.push([whole(clients), whole(perCpuSecond), whole(begun), whole(replica.rss())])
    replica.close()
    await wait(300)
  }
  const head = ['clients', 'operations per CPU-second', 'MB at the start', 'MB afterwards']
  table('**Clients**, each with a key, in turn; artist, track and album, hot', head, rows)
}

const byKeys = async () => {
  const rows = []
  for (const [distinct, mb] of [
    [1_000, 256],
    [5_000, 256],
    [20_000, 256],
    [20_000, 1024],
  ]) {
    const replica = await open(4630, UPSTREAM, { CACHE_MAX_MB: String(mb) })
    await load([replica], 'W1', distinct, { distinct })
    const { perCpuSecond, spent, operations } = await load([replica], 'W1', 10_000, { distinct })
    const bought = `${((100 * spent) / operations).toFixed(0)} %`
    rows.push([whole(distinct), mb, whole(perCpuSecond), bought, whole(replica.rss())])
    replica.close()
    await wait(300)
  }
  const head = ['artists', 'CACHE_MAX_MB', 'operations per CPU-second', 'bought again', 'MB']
  table('**Keys**: one artist of so many that were asked before, in turn', head, rows)
}

const WINDOW = 3_000

const byReplicas = async () => {
  const redis = start(
    LOAD,
    ['redis-server', '--port', '4699', '--save', '', '--appendonly', 'no'],
    {},
  )
  await wait(500)
  const rows = []
  const alone = await open(4640, UPSTREAM)
  await load([alone], 'W1', WINDOW)
  rows.push([
    '1, without Redis',
    whole((await load([alone], 'W1', WINDOW)).perCpuSecond),
    '',
    '',
    '',
  ])
  alone.close()
  for (const count of [1, 2, 4]) {
    const env = { REDIS_URL: 'redis://127.0.0.1:4699', REPLICAS_MAX: '4' }
    const replicas = await Promise.all(
      Array.from({ length: count }, (_, at) => open(4641 + at, UPSTREAM, env)),
    )
    // Each compiles what it runs often for itself.
    await load(replicas, 'W1', WINDOW * count)
    const before = cpuMs(redis)
    const cold = await load(replicas, 'W1', WINDOW)
    const ofRedis = (cpuMs(redis) - before) / cold.operations
    // Shifted by one, so that each is asked what another bought.
    const first = cold.begin + 1
    const held = await load(replicas, 'W1', WINDOW - 1, { distinct: WINDOW, first })
    const share = (held.spent / held.operations).toFixed(2)
    rows.push([
      count,
      whole(cold.perCpuSecond),
      ofRedis.toFixed(2),
      whole(held.perCpuSecond),
      share,
    ])
    for (const replica of replicas) replica.close()
    await wait(300)
  }
  table(
    '**Replicas** through one Redis; one artist, cold, then what another of them bought',
    [
      'replicas',
      'cold operations per CPU-second of theirs',
      'ms of Redis each',
      'operations per CPU-second, bought by another',
      'credits of these',
    ],
    rows,
  )
}

const PARTS = {
  one: oneReplica,
  connections: byConnections,
  clients: byClients,
  keys: byKeys,
  replicas: byReplicas,
}
for (const name of process.env.PARTS?.split(',') ?? Object.keys(PARTS)) await PARTS[name]()
process.exit(0)
