// Processes of a bench: started on a core of their own, and weighed by what the kernel counts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'

/** Each bench wants the machine to itself: the one that does listens here. */
const ALONE = 4300
const alone = createServer().unref()
alone.on('error', () => {
  process.stderr.write('another bench runs: nothing is measured\n')
  process.exit(1)
})
await once(alone.listen(ALONE, '127.0.0.1'), 'listening')

const isApart = availableParallelism() > 1
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const onCore = (core, command) => (isApart ? ['taskset', '-c', String(core), ...command] : command)

const begin = (core, command, options) => {
  const [file, ...args] = onCore(core, command)
  const child = spawn(file, args, options)
  running.add(child)
  child.on('exit', () => running.delete(child))
  return child
}

export const start = (core, command, env) => {
  const child = begin(core, command, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  child.on('exit', (code, signal) => {
    // Ended by the bench itself. What ended by itself, such as one whose port is taken, leaves nothing to measure.
    if (signal === 'SIGKILL') return
    process.stderr.write(`${command.join(' ')} ended with ${code ?? signal}: nothing is measured\n`)
    process.exit(1)
  })
  return child.pid
}

const ROOT = new URL('../../', import.meta.url).pathname
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
/** What `npm start` runs, from wherever this is called. */
const START = scripts.start.split(' ').map((word) => word.replace(/^dist\//, `${ROOT}dist/`))

/** The gateway as an operator runs it; its operator's port is 50 beyond. */
export const startGateway = (core, port, upstream, env) =>
  start(core, START, {
    PORT: String(port),
    ADMIN_PORT: String(port + 50),
    NODE_ENV: 'production',
    UPSTREAM_URL: upstream,
    UPSTREAM_REFRESH_TOKEN: 'bench',
    UPSTREAM_CONCURRENCY: '64',
    STATE_DIR: 'off',
    LOG_LEVEL: 'silent',
    ...env,
  })

/** Runs to its end and gives what it printed. */
export const run = (core, command) =>
  new Promise((resolve, reject) => {
    const child = begin(core, command, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    child.on('error', reject)
    child.on('close', () => resolve(JSON.parse(text)))
  })

/** Of all its threads, to the microsecond: what the kernel counts in ticks is off by a hundredth of a short window. */
export const cpuMs = (pid) => {
  let ns = 0
  for (const thread of readdirSync(`/proc/${pid}/task`))
    ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  return ns / 1e6
}

export const rssMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
