// How the cost of an operation grows with what it is asked, and with what is held: `npm run bench:growth`. Fails where a
// step is dearer than linear by more than a half.
import { openDoor } from './guard/door.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SLACK = 1.5

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
const say = (line) => process.stdout.write(`${line}\n`)
let n = 0
const rows = async (count) => {
  const ask = openDoor()
  const query = `query Rows($tag: Int!) { playlists(platform: PLAT_B, first: ${count}, filter: { tagIds: [$tag] }) { nodes { cmId name followers } } }`
  const work = () => ask(JSON.stringify({ query, variables: { tag: ++n } }))
  await costOf(5, work)
  return costOf(Math.max(2, 200 / count), work)
}
const held = async (count) => {
  const ask = openDoor()
  const query = 'query Held($id: Int!) { artist(cmId: $id) { name rank score } }'
  const artist = (id) => ask(JSON.stringify({ query, variables: { id } }))
  for (let id = 0; id < count; id++) await artist(10_000_000 + id)
  return costOf(200, () => artist(20_000_000 + ++n))
}
const documents = async (count) => {
  const ask = openDoor()
  const asked = (at) => `query D${at}($id: Int!) { a${at}: artist(cmId: $id) { name rank } }`
  const one = (at) => ask(JSON.stringify({ query: asked(at), variables: { id: 30_000_000 + ++n } }))
  for (let at = 0; at < count; at++) await one(at)
  return costOf(100, () => one(n % count))
}

const CURVES = [
  ['rows of a page', rows, [10, 100, 1_000]],
  ['entities asked for before', held, [100, 1_000, 10_000]],
  ['distinct documents', documents, [10, 100, 900]],
]
for (const [name, measure, steps] of CURVES) {
  say(`\n| ${name} | µs of CPU |\n|---|---|`)
  let last
  for (const step of steps) {
    const cost = await measure(step)
    say(`| ${step} | ${cost.toFixed(0)} |`)
    if (last !== undefined && cost / last.cost > (SLACK * step) / last.step) {
      say(`from ${last.step} to ${step} is dearer than linear`)
      process.exitCode = 1
    }
    last = { step, cost }
  }
}
process.exit()
