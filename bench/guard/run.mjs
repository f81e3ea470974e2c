// Whether an operation lost a quarter of its speed, which is to cost a third more CPU than it did: `npm run bench:guard`,
// and with `-- --record` the figures to hold it against. Costs are told in those of a known piece of work that takes turns
// with them, the least of many rounds, so that neither the machine nor what else runs on it counts.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { bodyOf as answerOf } from '../gateway/answer.mjs'
import { bodyOf } from '../gateway/workload.mjs'
import { openDoor } from './door.mjs'

const RECORDED = new URL('recorded.json', import.meta.url)
const ROUNDS = Number(process.env.ROUNDS ?? 50)
const WARM_UP = 15
/** Times that as many rounds follow where something seems to cost too much. */
const MORE = 4
const WORST = 4 / 3
/** Operations of one turn: some milliseconds, and of W4 a whole list, or the cheapest turns would be those that buy nothing. */
const TURNS = { W1: 40, W2cold: 1, W2hot: 80, W3: 200, W4: 20, W5: 40, W5link: 40 }
const FLOOR_TURN = 60
/** A workload that is asked a second time for each three, to see that a loss of that size is seen. */
const SLOWED = 'W1'

const cpuOf = async (times, work) => {
  const before = process.cpuUsage()
  for (let one = 0; one < times; one++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

const ask = openDoor()
const asker = (workload, first = 1000) => {
  let n = first
  let last = ''
  return async () => {
    last = await ask(bodyOf(workload, n++, last, false))
  }
}
const artist = answerOf('/api/artist/1000')
const floor = () =>
  createHash('sha1')
    .update(JSON.stringify(JSON.parse(artist)))
    .digest('base64url')

const works = Object.fromEntries(Object.keys(TURNS).map((name) => [name, asker(name)]))
let turn = 0
const slowed = asker(SLOWED, 10_000_000)
works.slowed = async () => {
  await slowed()
  if (turn++ % 2 === 0) await slowed()
}
const turns = { ...TURNS, slowed: TURNS[SLOWED] }

const least = { floor: Number.POSITIVE_INFINITY }
const measure = async (rounds, takes = true) => {
  for (let round = 0; round < rounds; round++) {
    const took = { floor: await cpuOf(FLOOR_TURN, floor) }
    for (const [name, work] of Object.entries(works)) took[name] = await cpuOf(turns[name], work)
    if (takes)
      for (const [name, cost] of Object.entries(took))
        least[name] = Math.min(least[name] ?? cost, cost)
  }
}
await measure(WARM_UP, false)
await measure(ROUNDS)

const print = (line) => process.stdout.write(`${line}\n`)
const costOf = (name) => Number((least[name] / least.floor).toFixed(2))
if (process.argv.includes('--record')) {
  const costs = Object.fromEntries(Object.keys(TURNS).map((name) => [name, costOf(name)]))
  writeFileSync(RECORDED, `${JSON.stringify(costs, undefined, 2)}\n`)
  print(JSON.stringify(costs))
  process.exit(0)
}
const recorded = JSON.parse(readFileSync(RECORDED, 'utf8'))
const tooDear = () => Object.keys(TURNS).filter((name) => costOf(name) > recorded[name] * WORST)
const seesSlowed = () => least.slowed >= least[SLOWED] * WORST
// A loss is there however often it is looked for; what else the machine did is not.
for (let more = 0; more < MORE && (tooDear().length > 0 || !seesSlowed()); more++)
  await measure(ROUNDS)

print('operation      µs   recorded  now, in times of the reference')
for (const name of Object.keys(TURNS)) {
  const us = least[name].toFixed(0).padStart(7)
  const was = recorded[name].toFixed(2).padStart(11)
  print(`${name.padEnd(10)}${us}${was}  ${costOf(name).toFixed(2)}`)
}
for (const name of tooDear()) print(`${name} costs more than a third more than it did`)
if (!seesSlowed())
  print(`${SLOWED} and half as much again is not seen to cost more: this measures nothing`)
process.exit(tooDear().length > 0 || !seesSlowed() ? 1 : 0)
