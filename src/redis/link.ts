import { Redis } from 'ioredis'
import { createCopied } from './copied.ts'
import { createEar } from './ear.ts'
import { afterLooks } from './look.ts'

/** What a script gives back. */
export type Reply = string | number | null | readonly Reply[]

/** The way to what all replicas share. */
export interface Link {
  /** Whether it answers, as far as is known; where it does not, nobody waits for it. */
  readonly isUp: boolean
  /**
   * Runs a script on keys, whole and with nothing of another's in between, in the order of the calls; rejects where it is
   * away, or does not answer in time.
   */
  run(lua: string, keys: readonly string[], args: readonly (string | number)[]): Promise<Reply>
  /** The name of a key or of a channel, in the form of this version. */
  name(...parts: readonly string[]): string
  /** Tells of every message of a channel. */
  hear(channel: string, listener: (message: string) => void): void
  /** Tells whenever it answers again, is heard again, or has lost what was in it, and the first time. */
  onUp(listener: () => void): void
  /** Says that it has lost what was in it. */
  missed(): void
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
/** One that ran out of time twice within so long is left alone for as long. */
const TRUST = 5_000

/** Bytes of a long answer in the time that is waited for one: whoever sends less does not answer. */
const PART_OF_ANSWER = 50_000

const PROBE_ENDS = 2_000
/** What scripts write with. First what a full Redis refuses: once a script has written, it takes the rest. */
const PROBE = `
redis.call('SET', KEYS[1], '')
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'at', '')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PUBLISH', KEYS[1], '')`
/**
 * Redis takes nothing from us, whatever it is: it is read-only, full, busy, or lets us do less. What it says of a script
 * or of a value begins with another word; before Redis 7 the word stands behind the place in the script.
 */
const REFUSAL =
  /^ReplyError: (?:.*: -)?(?!ERR |WRONGTYPE )[A-Z]+ |user executing the script|ACL failure/

/**
 * A connection on which nothing is queued and nothing is sent twice. What is not answered in time is given up, with all
 * that waits beside it and the connection itself: whoever asks next waits for nothing until a new one has answered in time.
 * So is a Redis that refuses what it is told, until it takes something: it may be one that others have left.
 */
export const createLink = ({
  url,
  limitMs = LIMIT,
  warn = () => undefined,
  watch = () => () => undefined,
}: LinkSettings): Link => {
  /** How often it ran out of time since it was last trusted. */
  let strikes = 0
  /** It was given up last for what it refused. */
  let isRefusing = false
  const redis = new Redis(url.reveal(), {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // What it is called would need a right of its own.
    disableClientInfo: true,
    connectTimeout: GREETING,
    // A connection that is given up has nothing more to say.
    disconnectTimeout: 0,
    retryStrategy(times) {
      if (strikes > 1) return TRUST
      return isRefusing ? BETWEEN_TRIES : Math.min(FIRST_TRY * 2 ** times, BETWEEN_TRIES)
    },
  })
  const ear = redis.duplicate({ autoResubscribe: false })
  const asked = new Set<Promise<unknown>>()
  const ups = new Set<() => void>()
  let isAway = false
  /** Its connection is there, and has answered. */
  let answers = false
  /** It hangs or refuses, and its connection is about to end. */
  let isGivenUp = false
  let reason: unknown
  let endTrial = () => {}

  const name: Link['name'] = (...parts) => [FORM, ...parts].join(':')
  const tellUp = () => {
    if (answers) for (const tell of ups) tell()
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
  const goAway = () => {
    answers = false
    endTrial()
    if (!isAway) warn(`Redis is away, this replica goes on alone: ${reason ?? 'it was closed'}`)
    isAway = true
  }
  const comeBack = () => {
    if (redis.status !== 'ready' || isGivenUp) return
    if (isAway) warn('Redis answers again')
    isAway = false
    isRefusing = false
    answers = true
    endTrial = afterLooks(TRUST, () => {
      strikes = 0
    })
    tellUp()
  }

  const away = () => new Error(`Redis is away: ${reason ?? 'not connected'}`)

  /** Whether an answer comes, before the whole of it is there. */
  const watchAnswer = () => {
    const { stream } = redis
    let read = stream.bytesRead
    return () => {
      if (stream.bytesRead - read < PART_OF_ANSWER) return false
      read = stream.bytesRead
      return true
    }
  }
  const giveUp = (failure: unknown, isLate: boolean) => {
    if (redis.status !== 'ready' || isGivenUp) return
    isGivenUp = true
    isRefusing = !isLate
    if (isLate) strikes += 1
    keepReason(failure)
    goAway()
    redis.disconnect(true)
    ear.disconnect(true)
  }
  const inTime = <T>(answer: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const late = () => {
        giveUp(new Error(`no answer within ${limitMs} ms`), true)
        reject(away())
      }
      answer.finally(afterLooks(limitMs, late, watchAnswer())).then(resolve, reject)
    })

  const refuse = (failure: unknown) => giveUp(failure, false)

  // One that greets and then hangs, or takes nothing, costs nobody anything.
  redis.on('ready', () => {
    isGivenUp = false
    void inTime(redis.eval(PROBE, 1, name('probe'), PROBE_ENDS)).then(comeBack, refuse)
  })
  redis.on('close', goAway)

  return {
    get isUp() {
      return answers
    },
    name,
    copied: createCopied(redis, name('copied'), limitMs, warn),
    async run(lua, keys, args) {
      if (!answers) throw away()
      const end = watch()
      // Never by its hash: what Redis does not know by it would come after what was asked later.
      const reply = inTime(redis.eval(lua, keys.length, ...keys, ...args))
      asked.add(reply)
      reply.then(
        () => end(true),
        (failure: unknown) => {
          end(false)
          if (REFUSAL.test(`${failure}`)) refuse(failure)
        },
      )
      return (await reply.finally(() => asked.delete(reply))) as Reply
    },
    hear: createEar(ear, tellUp, keepReason),
    missed: tellUp,
    onUp(listener) {
      ups.add(listener)
      if (answers) listener()
    },
    async open() {
      redis.connect().catch(keepReason)
      ear.connect().catch(keepReason)
      await new Promise<void>((resolve) => {
        const begin = () => {
          ups.delete(begin)
          end()
          resolve()
        }
        const end = afterLooks(BETWEEN_TRIES, () => {
          reason ??= new Error(`no connection within ${BETWEEN_TRIES} ms`)
          goAway()
          begin()
        })
        ups.add(begin)
      })
    },
    async close() {
      await Promise.allSettled(asked)
      endTrial()
      redis.removeAllListeners('close')
      redis.disconnect()
      ear.disconnect()
    },
  }
}
