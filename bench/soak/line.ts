import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** What a process that is forked here can be asked for. */
export type Words = Readonly<Record<string, (given: never) => unknown>>

interface Asked {
  readonly id: number
  readonly word: string
  readonly given: unknown
}

interface Told {
  readonly id: number
  readonly told?: unknown
  readonly failed?: string
}

/** Answers the questions of the process that forked this one. */
export const answerTo = (words: Words): void => {
  process.on('message', async ({ id, word, given }: Asked) => {
    try {
      process.send?.({ id, told: await words[word]?.(given as never) })
    } catch (failure) {
      process.send?.({ id, failed: String(failure) })
    }
  })
}

/** Starts a process that answers to `W`. */
export const startLine = <W extends Words>(
  file: URL,
  { execArgv = [], env = {} }: { execArgv?: string[]; env?: Readonly<Record<string, string>> } = {},
) => {
  const child: ChildProcess = fork(file, {
    execArgv,
    env: { PATH: process.env.PATH, ...env },
    serialization: 'advanced',
    silent: true,
  })
  const open = new Map<number, (told: Told) => void>()
  const printed: string[] = []
  let asked = 0
  child.stdout?.on('data', (text) => printed.push(String(text)))
  child.stderr?.on('data', (text) => printed.push(String(text)))
  child.on('message', (told: Told) => {
    open.get(told.id)?.(told)
    open.delete(told.id)
  })
  child.on('exit', (code, signal) => {
    for (const [id, settle] of open) settle({ id, failed: `${file}: ended with ${code ?? signal}` })
  })

  return {
    /** Undefined while it runs. */
    get ended() {
      return child.exitCode ?? child.signalCode ?? undefined
    },
    get printed() {
      return printed.join('')
    },
    async ask<K extends keyof W & string>(
      word: K,
      ...[given]: Parameters<W[K]>
    ): Promise<Awaited<ReturnType<W[K]>>> {
      asked += 1
      const id = asked
      const told = await new Promise<Told>((settle) => {
        open.set(id, settle)
        child.send({ id, word, given }, (error) => {
          if (error !== null) settle({ id, failed: `${file}: ${error.message}` })
        })
      })
      if (told.failed !== undefined) throw new Error(told.failed)
      return told.told as Awaited<ReturnType<W[K]>>
    },
    /** Asks it to go, and gives the code it leaves with. */
    async stop(): Promise<number | NodeJS.Signals | undefined> {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      return child.exitCode ?? child.signalCode ?? undefined
    },
  }
}
