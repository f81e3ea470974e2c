// Whether an operation makes hidden classes anew each time: V8 gives an object one of its own with each member that is added
// to what a spread copied, in the old space and for ten times the cost. `npm run bench:guard` counts them, by V8's own log.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bodyOf, WORKLOADS } from '../gateway/workload.mjs'
import { openDoor } from './door.mjs'

const WARM_UP = 150
const COUNTED = 100
/** Members that stand in the log between the operations, since each makes a class. */
const mark = (word) => ({ [word]: word })

/** Each workload, of nobody and of a client with a key. */
const NAMES = ['', ' with a key'].flatMap((whose) =>
  Object.keys(WORKLOADS).map((name) => `${name}${whose}`),
)

const work = async () => {
  const asks = [openDoor(), openDoor(undefined, true)]
  for (const name of NAMES) {
    const [workload] = name.split(' ')
    const ask = asks[name === workload ? 0 : 1]
    let last = ''
    for (let n = 0; n < WARM_UP + COUNTED; n++) {
      if (n === WARM_UP) mark(`begin ${name}`)
      last = await ask(bodyOf(workload, 1000 + n, last, false))
    }
    mark(`end ${name}`)
  }
  // Made so on purpose: what is not seen here is seen nowhere.
  const copied = { one: 1 }
  mark('begin copies')
  for (let n = 0; n < COUNTED; n++) ({ ...copied, other: mark })
  mark('end copies')
  process.exit()
}

if (process.argv.includes('--work')) await work()

const folder = mkdtempSync(join(tmpdir(), 'classes-'))
const log = join(folder, 'v8.log')
const flags = [
  '--log-maps',
  '--no-log-maps-details',
  '--no-logfile-per-isolate',
  `--logfile=${log}`,
]
const child = spawn(process.execPath, [...flags, import.meta.filename, '--work'], {
  stdio: 'inherit',
})
process.on('exit', () => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
const [status] = await once(child, 'exit')
const lines = readFileSync(log, 'latin1').split('\n')

/** Members that made a class with one operation in four, or more often. */
const madeBy = (name) => {
  const [from, to] = [`begin ${name}`, `end ${name}`].map((word) =>
    lines.findIndex((line) => line.endsWith(`,${word}`)),
  )
  const times = new Map()
  for (const line of lines.slice(from + 1, to)) {
    const member = line.startsWith('map,Transition,') ? line.split(',').at(-1) : undefined
    if (member !== undefined) times.set(member, (times.get(member) ?? 0) + 1)
  }
  return [...times].filter(([, count]) => count >= COUNTED / 4).map(([member]) => member)
}

const print = (line) => process.stdout.write(`${line}\n`)
for (const name of NAMES) {
  const members = madeBy(name)
  print(`${name.padEnd(19)}${members.length === 0 ? 'no class' : members.join(', ')}`)
  if (members.length > 0) process.exitCode = 1
}
if (status !== 0 || !madeBy('copies').includes('other')) {
  print('a class that is made on purpose is not seen: this measures nothing')
  process.exitCode = 1
}
