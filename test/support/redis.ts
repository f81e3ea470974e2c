import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/**
 * A Redis of the test's own. What it is told it hands to the system before it answers, so that it keeps that when it is
 * killed; a disk that many tests share is not waited for.
 */
export const startRedis = async (options: readonly string[] = []) => {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'refrain-redis-'))
  const keeping = ['--appendonly', 'yes', '--appendfsync', 'no', '--save', '']

  const start = async () => {
    const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder]
    const child = spawn('redis-server', [...place, ...keeping, ...options], { stdio: 'ignore' })
    for (const end = Date.now() + PATIENCE_MS; !(await answers(port)); ) {
      if (child.exitCode !== null || Date.now() > end)
        throw new Error(`redis-server does not answer on port ${port}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return child
  }
  let child = await start()

  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    say: (command: string) => say(port, command),
    kill: () => end('SIGKILL'),
    async start() {
      child = await start()
    },
    /** It hangs: connections stay, and nothing is answered. */
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGCONT')
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A way to it that a busy machine does not cut. */
export const openLink = async (url: string, settings: Partial<LinkSettings> = {}) => {
  const link = createLink({ url: secret(url), limitMs: 5_000, ...settings })
  await link.open()
  return link
}
