import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createLink, type LinkSettings } from '../../src/redis/link.ts'
import { secret } from '../../src/upstream/token/secret.ts'
import { freePort } from './process.ts'

const PATIENCE_MS = 20_000

/** What it answers to a command that no script may run; nothing where it does not. */
const say = (port: number, command: string) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const tell = (answer: string) => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => socket.write(`${command}\r\n`))
    socket.on('data', (data) => tell(data.toString()))
    socket.on('error', () => tell(''))
    socket.setTimeout(1_000, () => tell(''))
  })
const answers = async (port: number) => (await say(port, 'PING')).startsWith('+PONG')

/** Its turn comes before that of the tests, where that is allowed: a busy machine is no Redis that hangs. */
const first = ({ pid }: ChildProcess) => {
  try {
    if (pid !== undefined) setPriority(pid, -15)
  } catch {}
}

/**
 * A Redis of the test's own. What it is told it hands to the system before it answers, so that it keeps that when it is
 * killed; a disk that many tests share is not waited for.
 */
const createRedis = (options: readonly string[] = []) => {
  let [port, folder] = [0, '']
  let child: ChildProcess | undefined
  const keeping = ['--appendonly', 'yes', '--appendfsync', 'no', '--save', '']

  const start = async () => {
    port ||= await freePort()
    folder ||= await mkdtemp(join(tmpdir(), 'refrain-redis-'))
    const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder]
    const begun = spawn('redis-server', [...place, ...keeping, ...options], { stdio: 'ignore' })
    child = begun
    first(begun)
    for (const end = Date.now() + PATIENCE_MS; !(await answers(port)); ) {
      if (begun.exitCode !== null || Date.now() > end)
        throw new Error(`redis-server does not answer on port ${port}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const thaw = () => child?.kill('SIGCONT')
  return {
    get url() {
      return `redis://127.0.0.1:${port}`
    },
    get port() {
      return port
    },
    say: (command: string) => say(port, command),
    start,
    kill,
    /** It hangs: connections stay, and nothing is answered. */
    freeze: () => child?.kill('SIGSTOP'),
    thaw,
    /** Empty, and the master of itself, whatever was done to it. */
    async renew() {
      thaw()
      if (!(await answers(port))) {
        await kill()
        await start()
      }
      await say(port, 'REPLICAOF NO ONE')
      await say(port, 'FLUSHALL')
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type TestRedis = ReturnType<typeof createRedis>

export const startRedis = async (options: readonly string[] = []): Promise<TestRedis> => {
  const redis = createRedis(options)
  await redis.start()
  return redis
}

/** One for all tests of a file. */
export const useRedis = (): TestRedis => {
  const redis = createRedis()
  beforeAll(redis.start)
  afterAll(redis.stop)
  return redis
}

/** A way to it that a busy machine does not cut. */
export const openLink = async (url: string, settings: Partial<LinkSettings> = {}) => {
  const link = createLink({ url: secret(url), limitMs: 30_000, ...settings })
  await link.open()
  return link
}
