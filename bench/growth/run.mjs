// How the cost of an operation grows with what it is asked, with what is held and with who asks: `npm run bench:growth`.
// CURVES by comma. Fails where a step is dearer than linear by more than a half.
import { setTimeout as wait } from 'node:timers/promises'
import { open, untilAnswers } from '../capacity/replica.mjs'
import { chosen } from '../gateway/chosen.mjs'
import { run, start } from '../gateway/process.mjs'
import { draw } from './curve.mjs'

const HERE = new URL('.', import.meta.url).pathname
const [GATEWAY, LOAD] = [0, 1]
const PORT = 4710
const UPSTREAM = `http://127.0.0.1:${PORT}`
const OPERATIONS = 20_000

start(LOAD, ['node', `${HERE}../gateway/stub.mjs`], { PORT, LATENCY_MS: '0' })
await untilAnswers(`${UPSTREAM}/meter`)

const inside = (name) => (step) => run(GATEWAY, ['node', `${HERE}door.mjs`, name, String(step)])

/** Over sockets: three held records, asked again and again. */
const outside = async (clients, connections) => {
  const replica = await open(PORT + 1, UPSTREAM, { clients })
  const load = `${HERE}../capacity/load.mjs`
  const ask = (operations) =>
    run(LOAD, ['node', load, replica.url, 'W3', operations, connections, 0, 1, clients].map(String))
  await ask(OPERATIONS + 2 * clients)
  const before = replica.cpu()
  const { operations } = await ask(OPERATIONS)
  const point = { cost: ((replica.cpu() - before) * 1000) / operations, mb: replica.rss() }
  replica.close()
  await wait(300)
  return point
}

const CURVES = {
  rows: {
    title: 'Rows of a page, cold',
    of: 'rows',
    per: true,
    steps: [10, 100, 1_000, 10_000],
    // The step's cost is that of all its rows.
    measure: inside('rows'),
  },
  entities: {
    title: 'An artist, cold, with so many that were asked before; CACHE_MAX_MB is 128',
    of: 'artists',
    steps: [100, 1_000, 10_000, 100_000, 1_000_000],
    measure: inside('entities'),
  },
  documents: {
    title: 'An artist, cold, by so many distinct documents in turn',
    of: 'documents',
    steps: [10, 100, 1_000, 10_000],
    measure: inside('documents'),
  },
  clients: {
    title: 'Artist, track and album, hot, for so many clients in turn, each with a key',
    of: 'clients',
    steps: [1, 100, 1_000, 10_000],
    measure: (step) => outside(step, 16),
  },
  connections: {
    title: 'Artist, track and album, hot, over so many connections',
    of: 'connections',
    // The gateway takes 2,000 at once, and whoever looks whether it lives has one.
    steps: [1, 10, 100, 500, 1_000, 1_990],
    measure: (step) => outside(0, step),
  },
}

for (const name of chosen('CURVES', Object.keys(CURVES))) {
  const { steps, measure, ...curve } = CURVES[name]
  const points = []
  for (const step of steps) points.push({ step, ...(await measure(step)) })
  draw(curve, points)
}
process.exit()
