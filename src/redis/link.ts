import { Redis } from 'ioredis'
import { createCopied } from './copied.ts'
import { afterLooks } from './look.ts'

/** A program that Redis runs whole, with nothing of another's in between. */
export interface Script {
  readonly lua: string
}

export const script = (lua: string): Script => ({ lua })

/** What a script gives back. */
export type Reply = string | number | null | readonly Reply[]

/** The way to what all replicas share. */
export interface Link {
  /** Whether it answers, as far as is known; where it does not, nobody waits for it. */
  readonly isUp: boolean
  /** Runs a script on keys, in the order of the calls; rejects where it is away, or does not answer in time. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<Reply>
  /** The name of a key or of a channel, in the form of this version. */
  name(...parts: readonly string[]): string
  /** Tells of every message of a channel. */
  hear(channel: string, listener: (message: string) => void): void
  /** Tells whenever it answers again, or is heard again, and the first time. */
  onUp(listener: () => void): void
  /** Once another Redis has what was written so far, where this one has replicas; rejects never, and waits no longer. */
  copied(): Promise<void>
  /** The first answer, or the end of the patience for it. */
  open(): Promise<void>
  /** Once what was asked is answered, or given up. */
  close(): Promise<void>
}

export interface LinkSettings {
  /** With its password, so that it is no plain text. */
  readonly url: { reveal(): string }
  /** Most milliseconds that anything waits for it. */
  readonly limitMs?: number | undefined
  readonly warn?: (text: string) => void
  /** Told of every script that is sent, and whether it was answered. */
  readonly watch?: () => (isAnswered: boolean) => void
}

/** Changes with the form of what is written, so that an older form is not found. */
const FORM = 'refrain:1'
const LIMIT = 100
/** For a connection, and for the greeting on it. */
const GREETING = 2_000
const BETWEEN_TRIES = 1_000
const FIRST_TRY = 50

/**
 * A connection on which nothing is queued and nothing is sent twice: what is not answered in time is given up, and the
 * connection with it, so that while Redis hangs only the next greeting waits for it.
 */
export const createLink = ({
  url,
  limitMs = LIMIT,
  warn = () => undefined,
  watch = () => () => undefined,
}: LinkSettings): Link => {
  const redis = new Redis(url.reveal(), {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: GREETING,
    disconnectTimeout: limitMs,
    retryStrategy: (times) => Math.min(FIRST_TRY * 2 ** times, BETWEEN_TRIES),
  })
  const ear = redis.duplicate({ autoResubscribe: false })
  const asked = new Set<Promise<unknown>>()
  const listeners = new Map<string, ((message: string) => void)[]>()
  const ups: (() => void)[] = []
  let isDown = false
  /** It hangs, and its connection is about to end. */
  let isGivenUp = false
  let reason: unknown
  const isUp = () => redis.status === 'ready' && !isGivenUp

  const tellUp = () => {
    if (isUp()) for (const tell of ups) tell()
  }
  const keepReason = (failure: unknown) => {
    reason = failure
  }
  for (const connection of [redis, ear]) {
    let met = () => {}
    connection.on('error', keepReason)
    connection.on('connect', () => {
      met = afterLooks(GREETING, () => {
        keepReason(new Error(`no greeting within ${GREETING} ms`))
        connection.disconnect(true)
      })
    })
    for (const end of ['ready', 'close']) connection.on(end, () => met())
  }
  redis.on('ready', () => {
    if (isDown) warn('Redis answers again')
    isDown = false
    isGivenUp = false
    tellUp()
  })
  redis.on('close', () => {
    if (!isDown) warn(`Redis is away, this replica goes on alone: ${reason ?? 'it was closed'}`)
    isDown = true
    isGivenUp = false
  })
  /** What was said until then was not heard. */
  const listenTo = (channels: readonly string[]) => {
    if (ear.status === 'ready' && channels.length > 0)
      void ear.subscribe(...channels).then(tellUp, keepReason)
  }
  ear.on('ready', () => listenTo([...listeners.keys()]))
  ear.on('message', (channel: string, message: string) => {
    for (const tell of listeners.get(channel) ?? []) tell(message)
  })

  const away = () => new Error(`Redis is away: ${reason ?? 'not connected'}`)

  const inTime = <T>(answer: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const come = afterLooks(limitMs, () => {
        keepReason(new Error(`no answer within ${limitMs} ms`))
        reject(away())
        if (redis.status !== 'ready') return
        isGivenUp = true
        redis.disconnect(true)
        ear.disconnect(true)
      })
      answer.finally(come).then(resolve, reject)
    })

  const name: Link['name'] = (...parts) => [FORM, ...parts].join(':')

  return {
    get isUp() {
      return isUp()
    },
    name,
    copied: createCopied(redis, name('copied'), limitMs, warn),
    async run({ lua }, keys, args) {
      if (!isUp()) throw away()
      const end = watch()
      // Never by its hash: what Redis does not know by it would come after what was asked later.
      const reply = inTime(redis.eval(lua, keys.length, ...keys, ...args))
      asked.add(reply)
      reply.then(
        () => end(true),
        () => end(false),
      )
      return (await reply.finally(() => asked.delete(reply))) as Reply
    },
    hear(channel, listener) {
      const others = listeners.get(channel) ?? []
      listeners.set(channel, [...others, listener])
      if (others.length === 0) listenTo([channel])
    },
    onUp(listener) {
      ups.push(listener)
      if (isUp()) listener()
    },
    async open() {
      redis.connect().catch(keepReason)
      ear.connect().catch(keepReason)
      await new Promise<void>((resolve) => {
        const met = afterLooks(BETWEEN_TRIES, resolve)
        redis.once('ready', () => {
          met()
          resolve()
        })
      })
    },
    async close() {
      await Promise.allSettled(asked)
      redis.removeAllListeners('close')
      redis.disconnect()
      ear.disconnect()
    },
  }
}
