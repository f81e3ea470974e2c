import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'

interface Told {
  readonly step?: number
  readonly name?: string
  readonly status?: number
}

/** Processes that mint a token each, to be killed in the middle of it. */
export const createMinters = () => {
  const dist = resolve('dist', `minter-${process.pid}`)
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck']
  execFileSync(process.execPath, [...tsc, '--outDir', dist], { stdio: 'inherit' })
  const children: ChildProcess[] = []

  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  return {
    /** `stopAt`: the change in `stateDir` before which it stands still; none: it goes on to the end. */
    start(url: string, stateDir: string, stopAt = 0) {
      const child = fork('test/fault/minter.mjs', [dist, url, stateDir, String(stopAt)], {
        env: { PATH: process.env.PATH },
        execArgv: [],
      })
      children.push(child)
      const steps: string[] = []
      const over = new Promise<Told>((settle, fail) => {
        child.on('message', (told: Told) => {
          if (told.name !== undefined) steps.push(told.name)
          if (told.status !== undefined || told.step === stopAt) settle(told)
        })
        child.on('exit', () => fail(new Error(`The process ended by itself, after ${steps}`)))
      })
      over.catch(() => undefined)
      return {
        /** Changes that it made or is about to make. */
        steps,
        /** It stands still, or has its answer. */
        over,
        kill: () => kill(child),
      }
    },
    async close() {
      await Promise.all(children.map(kill))
      rmSync(dist, { recursive: true, force: true })
    },
  }
}
