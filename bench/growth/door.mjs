// One curve's steps, each in a process of its own, without sockets: NAME, then the step. Prints what an operation costs.
import { openDoor } from '../guard/door.mjs'

const ROUNDS = 5
const [name, given] = process.argv.slice(2)
const step = Number(given)
const ask = openDoor(128)
let n = 0

const costOf = async (times, work) => {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let one = 0; one < times; one++) await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / times)
  }
  return least
}

const rows = async () => {
  const query = `query Rows($tag: Int!) { playlists(platform: PLAT_B, first: ${step}, filter: { tagIds: [$tag] }) { nodes { cmId name followers } } }`
  const work = () => ask(JSON.stringify({ query, variables: { tag: ++n } }))
  await costOf(Math.max(4, 4_000 / step), work)
  return costOf(Math.max(2, 2_000 / step), work)
}
const artist = (id) =>
  ask(
    JSON.stringify({
      query: 'query Held($id: Int!) { artist(cmId: $id) { name rank score } }',
      variables: { id },
    }),
  )
/** New ones, with so many that were asked before. */
const entities = async () => {
  for (let id = 0; id < Math.max(step, 4_000); id++) await artist(10_000_000 + (id % step))
  return costOf(500, () => artist(20_000_000 + ++n))
}
const documents = async () => {
  const asked = (at) => `query D${at}($id: Int!) { a${at}: artist(cmId: $id) { name rank } }`
  const one = (at) => ask(JSON.stringify({ query: asked(at), variables: { id: 30_000_000 + ++n } }))
  for (let at = 0; at < Math.max(step, 2_000); at++) await one(at % step)
  return costOf(500, () => one(n % step))
}

const cost = await { rows, entities, documents }[name]()
process.stdout.write(JSON.stringify({ cost, mb: process.memoryUsage.rss() / 1_000_000 }))
process.exit(0)
