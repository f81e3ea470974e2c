import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { inject, vi } from 'vitest'
import { build } from './process.ts'

/** The gateway as processes that are told to stop, or that break. */
export const buildGateway = () => {
  const given = inject('dist')
  const { dist, remove } = given ? { dist: given, remove: () => undefined } : build('gateway')
  const running: ReturnType<typeof spawn>[] = []

  /** Ends every process that still runs. */
  const end = async () => {
    await Promise.all(
      running.splice(0).map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGKILL')
        await once(child, 'exit')
      }),
    )
  }

  return {
    dist,
    /** Resolves once it listens; on the sandbox, unless `env` names a service. `first` is run in it before the gateway. */
    async start(env: Readonly<Record<string, string>> = {}, first?: string) {
      const args = first === undefined ? [] : ['--import', resolve(first)]
      const child = spawn(process.execPath, [...args, join(dist, 'main.js')], {
        env: { PATH: process.env.PATH, PORT: '0', ADMIN_PORT: '0', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running.push(child)
      let told = ''
      child.stdout.on('data', (chunk) => {
        told += chunk
      })
      child.stderr.on('data', (chunk) => {
        told += chunk
      })
      const exited = once(child, 'exit').then(([code]): number | null => code)
      const ended = once(child, 'close').then(([code]): never => {
        throw new Error(`It ended with ${code}: ${told}`)
      })
      const listens = vi.waitFor(() => {
        const [, address] = /Graph(?:i?QL): (\S+)\/graphql/.exec(told) ?? []
        if (address === undefined) throw new Error(`It does not listen: ${told}`)
        return address
      }, 60_000)
      const url = await Promise.race([listens, ended])
      const operator = /Operator: (\S+)\/credits/.exec(told)?.[1] ?? ''
      return {
        url,
        operator,
        pid: child.pid,
        /** The code that it ends with. */
        exited,
        told: () => told,
        signal: (name: NodeJS.Signals) => child.kill(name),
      }
    },
    end,
    async close() {
      await end()
      remove()
    },
  }
}
