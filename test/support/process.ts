import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

const freePort = async () => {
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

const answers = async (url: string, child: ChildProcess, log: () => string) => {
  for (const end = Date.now() + 15_000; Date.now() < end; ) {
    if (hasEnded(child)) throw new Error(`The gateway ended: ${log()}`)
    const ok = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The gateway does not answer at ${url}: ${log()}`)
}

/** The gateway as an operator runs it, built anew, on the sandbox. */
export const startGateway = async (variables: Readonly<Record<string, string>> = {}) => {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  })
  const port = await freePort()
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: { PATH: process.env.PATH, PORT: String(port), ADMIN_PORT: '0', ...variables },
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
  try {
    await answers(`${url}/livez`, child, log)
  } catch (failure) {
    await stop()
    throw failure
  }
  return { url, log, stop }
}
