import { getHeapStatistics } from 'node:v8'
import { MOST_OPERATIONS, STRANGERS } from './clients/client.ts'
import { createCrowd, type OfClient } from './clients/crowd.ts'
import { createLine, type During, type InLine } from './clients/line.ts'
import { GatewayError } from './errors.ts'
import { createController } from './signal.ts'
import type { Clock } from './upstream/transport/send.ts'

/** How the process is, since it was last asked. */
export interface Strain {
  /** The longest that the event loop kept work waiting. */
  readonly delayMs: number
  /** 1 is the most that the process may have. */
  readonly heapShare: number
}

/** Strained: what is held is given, nothing is asked for. Critical: nobody is answered. */
export const LEVELS = ['calm', 'strained', 'critical'] as const
export type Level = (typeof LEVELS)[number]

/** A healthy loop keeps work waiting for up to 122 ms with 500 connections. */
const STRAINED: Strain = { delayMs: 250, heapShare: 0.85 }
const CRITICAL: Strain = { delayMs: 500, heapShare: 0.92 }
/**
 * What waits for its turn holds up nobody else, and a crowd that is answered in a second or two is none to refuse: only
 * a wait is strain that clients would give up in. Milliseconds.
 */
const STRAINED_WAIT = 2_000
const CRITICAL_WAIT = 8_000
const SECOND = 1_000
/** Milliseconds between two looks at what the loop was kept from. */
const BETWEEN_LOOKS = 20
/** Strain is entered after so many bad seconds and left after so many good ones; one pause for breath is none. */
const BAD_SECONDS = 2
const GOOD_SECONDS = 3

const isAbove = (strain: Strain, bound: Strain): boolean =>
  strain.delayMs > bound.delayMs || strain.heapShare > bound.heapShare

const rankOf = (strain: Strain): number =>
  isAbove(strain, CRITICAL) ? 2 : isAbove(strain, STRAINED) ? 1 : 0

const rankOfWait = (ms: number): number => (ms > CRITICAL_WAIT ? 2 : ms > STRAINED_WAIT ? 1 : 0)

const heapShare = (): number => {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics()
  return used / most
}

/** Milliseconds of processors that this process has had. */
export const worked = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** To ask the system costs as much as a tenth of an answer: who asks at each turn hears what was so within so many ms. */
const LOOK_IS_GOOD_FOR = 5

/** What `work` told, asked anew where that was longer ago by the clock of `now`, in milliseconds. */
export const createGlances = (work: () => number, now: () => number): (() => number) => {
  let done = 0
  let at = Number.NEGATIVE_INFINITY
  return () => {
    const then = now()
    if (then - at >= LOOK_IS_GOOD_FOR) {
      at = then
      done = work()
    }
    return done
  }
}

/**
 * The longest that a process kept its own loop from its turns. Where others on the machine have the processor meanwhile,
 * to drop what it is asked would help nobody: of each wait no more counts than the process worked in it.
 */
export const createStalls = (now: () => number, work: () => number) => {
  let [at, done, longest] = [now(), work(), 0]
  const look = () => {
    const [then, before] = [at, done]
    at = now()
    done = work()
    longest = Math.max(longest, Math.min(at - then - BETWEEN_LOOKS, done - before))
  }
  return {
    look,
    /** Milliseconds, since it was asked last; the asking itself may be what was kept waiting. */
    take(): number {
      look()
      const taken = longest
      longest = 0
      return taken
    },
  }
}

/** The strain of this process, for whoever asks once a second; what it did before it was asked first was its start. */
export const createStrain = (work = worked): (() => Strain) => {
  let stalls: ReturnType<typeof createStalls> | undefined
  return () => {
    if (stalls === undefined) {
      stalls = createStalls(() => performance.now(), work)
      setInterval(stalls.look, BETWEEN_LOOKS).unref()
    }
    return { delayMs: stalls.take(), heapShare: heapShare() }
  }
}

export const overloaded = (): GatewayError =>
  new GatewayError('OVERLOADED', 'The gateway is under strain: try again in a moment', {
    retryAfter: GOOD_SECONDS,
  })

/** How hard-pressed somebody is, by one sample after the other. */
const createPressure = () => {
  let rank = 0
  let last = 0
  let good = 0
  return {
    get rank() {
      return rank
    },
    /** Nothing of the past counts any more. */
    get isOver() {
      return rank === 0 && last === 0
    },
    weigh(sampled: number, seconds: number): void {
      const lasting = seconds >= BAD_SECONDS ? sampled : Math.min(sampled, last)
      last = sampled
      // What is held is given again with the first better second.
      rank = Math.max(lasting, Math.min(rank, Math.max(sampled, 1)))
      good = sampled < rank ? good + seconds : 0
      if (good < GOOD_SECONDS) return
      rank = sampled
      good = 0
    },
  }
}

interface Pressed {
  readonly pressure: ReturnType<typeof createPressure>
  /** Milliseconds. */
  longest: number
}
const pressed = (): Pressed => ({ pressure: createPressure(), longest: 0 })

/**
 * How hard-pressed the process is, and each client that asks for more than it can be given, by a sample in each second;
 * and what is dropped: misses first, hits last, of a client that keeps itself waiting its own alone.
 */
export const createLoad = (clock: Clock, concurrency: number, strain?: () => Strain) => {
  const over = createController()
  const crowd = createCrowd(MOST_OPERATIONS)
  const line = createLine(clock, concurrency)
  const during: During = (operation, run) =>
    line.during(operation, () => crowd.during(operation, run))
  const all = pressed()
  const clients = new Map<string, Pressed>()
  let operations = 0
  let entered = 0
  const leave = () => {
    operations -= 1
  }

  const rankFor = (client: string | undefined): number =>
    Math.max(all.pressure.rank, (client && clients.get(client)?.pressure.rank) || 0)
  const levelFor = (client: string | undefined): Level => LEVELS[rankFor(client)] ?? 'critical'

  const weigh = (strain: Strain, seconds: number) => {
    all.pressure.weigh(Math.max(rankOf(strain), rankOfWait(all.longest)), seconds)
    all.longest = 0
    for (const [client, one] of clients) {
      one.pressure.weigh(rankOfWait(one.longest), seconds)
      one.longest = 0
      if (one.pressure.isOver) clients.delete(client)
    }
  }

  const watch = async (measure: () => Strain) => {
    for (let at = clock.now(); ; ) {
      await clock.sleep(SECOND, over.signal)
      if (over.signal.aborted) return
      const passed = clock.now() - at
      at += passed
      weigh(measure(), Math.max(1, Math.floor(passed / SECOND)))
    }
  }
  if (strain !== undefined) void watch(strain)

  return {
    get level(): Level {
      return levelFor(undefined)
    },
    /** The level for one client. */
    levelFor,
    /** Clients that are under strain alone. */
    get pressed(): readonly string[] {
      return [...clients].filter(([, { pressure }]) => pressure.rank > 0).map(([name]) => name)
    },
    /** A client was kept waiting by what it asks itself; without a name: somebody was by what all ask. */
    wait(client: string | undefined, ms: number): void {
      if (client === undefined) all.longest = Math.max(all.longest, ms)
      if (client === undefined || ms <= STRAINED_WAIT || strain === undefined) return
      // One of them may turn out to be somebody.
      if (client === STRANGERS) return
      const one = clients.get(client) ?? pressed()
      one.longest = Math.max(one.longest, ms)
      clients.set(client, one)
    },
    /** Operations whose answers are not out yet. */
    get operations() {
      return operations
    },
    /** Operations since the process began. */
    get entered() {
      return entered
    },
    /** One more operation; to be told when its answer is out. */
    enter(): () => void {
      operations += 1
      entered += 1
      return leave
    },
    /** Lets an operation send for something. Throws where it may not. */
    admit(operation: OfClient): void {
      if (rankFor(operation.client) > 0) throw overloaded()
      crowd.admit(operation)
    },
    /** What it sent for is here. */
    release(operation: InLine): void {
      crowd.release(operation)
      line.arrive(operation)
    },
    during,
    close: () => over.abort(),
  }
}

export type Load = ReturnType<typeof createLoad>
