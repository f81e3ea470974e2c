// Asks one workload in a closed loop and prints how often it was answered: target, URL, workload, milliseconds,
// connections, first n.
import { Pool } from 'undici'
import { bodyFor } from '../peers/query.mjs'
import { WORKLOADS } from './workload.mjs'

const [target, url, workload, milliseconds, connections, first] = process.argv.slice(2)
const { origin, pathname } = new URL(url)
const body = bodyFor(target)
const pool = new Pool(origin, { connections: Number(connections) })
const headers = { 'content-type': 'application/json', accept: 'application/json' }
const end = performance.now() + Number(milliseconds)
const { apart } = WORKLOADS[workload]
const took = []
let failed = 0
let n = Number(first)

const walk = async (own) => {
  let last = ''
  for (let step = 0; performance.now() < end; step++) {
    const at = apart === undefined ? n++ : Number(first) + own * apart + step
    const begun = performance.now()
    const answer = await pool.request({
      path: pathname,
      method: 'POST',
      headers,
      body: body(workload, at, last),
    })
    last = await answer.body.text()
    took.push(performance.now() - begun)
    if (answer.statusCode !== 200 || last.includes('"errors"')) failed++
  }
}
await Promise.all(Array.from({ length: Number(connections) }, (_, own) => walk(own)))
took.sort((a, b) => a - b)
const at = (share) => took[Math.floor(took.length * share)] ?? 0
process.stdout.write(
  JSON.stringify({ operations: took.length, failed, p50: at(0.5), p99: at(0.99) }),
)
process.exit(0)
