import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'

/** A port that nobody listens on. */
export const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

const PATIENCE_MS = 60_000

interface Program {
  /** What Node runs, with its arguments; a program that does not read PORT is told its port among them. */
  readonly args: readonly string[] | ((port: number) => readonly string[])
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Asks for a sign of life. */
  readonly probe: (url: string) => Promise<Response>
}

/** A program on a port of its own, once it answers there. */
export const startProgram = async ({ args, cwd, env, probe }: Program) => {
  const port = await freePort()
  const line = typeof args === 'function' ? args(port) : args
  const child = spawn(process.execPath, line, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  child.stdout.on('data', (chunk) => lines.push(String(chunk)))
  child.stderr.on('data', (chunk) => lines.push(String(chunk)))
  const log = () => lines.join('')
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    if (hasEnded(child)) return child.exitCode
    child.kill('SIGTERM')
    await once(child, 'exit')
    return child.exitCode
  }
  const kill = async () => {
    child.kill('SIGKILL')
    if (!hasEnded(child)) await once(child, 'exit')
  }
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const ok = await probe(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return { url, log, stop, kill }
    if (hasEnded(child) || Date.now() > end) {
      await stop()
      throw new Error(`${line.join(' ')} does not answer at ${url}: ${log()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The program built anew; in a folder of its own, so that tests beside each other do not take it away. */
export const build = (name: string) => {
  const dist = resolve('dist', `${name}-${process.pid}`)
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck']
  execFileSync(process.execPath, [...tsc, '--outDir', dist], { stdio: 'inherit' })
  return { dist, remove: () => rmSync(dist, { recursive: true, force: true }) }
}

/** The gateway as an operator runs it, on the sandbox if nothing else is said. */
export const startBuilt = (dist: string, variables: Readonly<Record<string, string>> = {}) =>
  startProgram({
    args: [join(dist, 'main.js')],
    env: { ADMIN_PORT: '0', ...variables },
    probe: (url) => fetch(`${url}/livez`),
  })

/** The same, built anew. */
export const startGateway = async (variables: Readonly<Record<string, string>> = {}) => {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  return startBuilt('dist', variables)
}
