import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { build } from './process.ts'

interface Told {
  readonly step?: number
  readonly name?: string
  readonly status?: number
  /** Callers that got a token. */
  readonly served?: number
}

/** Processes that mint a token each, to be killed in the middle of it. */
export const createMinters = () => {
  const { dist, remove } = build('minter')
  const children: ChildProcess[] = []

  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  return {
    /** `stopAt`: the change in `stateDir` before which it stands still; none: it goes on to the end. */
    start(url: string, stateDir: string, stopAt = 0, callers = 1) {
      const told = [dist, url, stateDir, String(stopAt), String(callers)]
      const child = fork('test/fault/minter.mjs', told, {
        env: { PATH: process.env.PATH },
        execArgv: [],
      })
      children.push(child)
      const steps: string[] = []
      const over = new Promise<Told>((settle, fail) => {
        child.on('message', (word: Told) => {
          if (word.name !== undefined) steps.push(word.name)
          if (word.status !== undefined || word.step === stopAt) settle(word)
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
        freeze: () => child.kill('SIGSTOP'),
        thaw: () => child.kill('SIGCONT'),
      }
    },
    async close() {
      await Promise.all(children.map(kill))
      remove()
    },
  }
}
