// Asks one workload in a closed loop and prints how that went: URLs by comma, workload, operations, connections, first n,
// distinct operations (0: each is new), clients whose keys are sent in turn (0: none). What a machine under strain refuses is
// asked for no more, and not counted.
import { Pool } from 'undici'
import { bodyOf } from '../gateway/workload.mjs'

const [urls, workload, ...numbers] = process.argv.slice(2)
const [operations, connections, first, distinct, clients] = numbers.map(Number)
const pools = urls.split(',').map((url) => new Pool(new URL(url).origin, { connections }))
const took = []
let failed = 0
let n = 0

const walk = async () => {
  while (n < operations) {
    const own = n++
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    if (clients > 0) headers.authorization = `Bearer key-${own % clients}`
    const begun = performance.now()
    const answer = await pools[own % pools.length].request({
      path: '/graphql',
      method: 'POST',
      headers,
      body: bodyOf(workload, first + (distinct === 0 ? own : own % distinct), ''),
    })
    const text = await answer.body.text()
    if (answer.statusCode === 200 && !text.includes('"errors"'))
      took.push(performance.now() - begun)
    else failed++
  }
}
await Promise.all(Array.from({ length: connections }, walk))
took.sort((a, b) => a - b)
const at = (share) => took[Math.floor(took.length * share)] ?? 0
process.stdout.write(
  JSON.stringify({ operations: took.length, failed, p50: at(0.5), p99: at(0.99) }),
)
process.exit(0)
