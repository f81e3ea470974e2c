import cluster, { type Worker } from 'node:cluster'
import type { Clock } from '../upstream/transport/send.ts'

/** How a worker learns which of them it is. */
const PLACE = '--worker='

/** Which of the workers this process is, from 1; 0 where it is none. */
export const placeOf = (args: readonly string[]): number =>
  Number(args.find((arg) => arg.startsWith(PLACE))?.slice(PLACE.length) ?? 0)

/** What the first process tells the others; a signal of a terminal reaches all of them, and counts once. */
interface Order {
  readonly stopAfterMs: number
}

/** A process that ends sooner is not begun anew at once. */
const BETWEEN_BEGINNINGS = 1_000

const isOrder = (message: unknown): message is Order =>
  typeof message === 'object' && message !== null && 'stopAfterMs' in message

export interface WorkersParts {
  readonly count: number
  /** Arguments beside those of this process. */
  readonly args: readonly string[]
  readonly clock: Clock
  readonly warn: (text: string) => void
  /** Once all have ended; with the code of the worst. */
  readonly ended: (code: number) => void
}

/** Processes that listen on one port: what ends is begun anew, but for one that could not even listen. */
export const createWorkers = ({ count, args, clock, warn, ended }: WorkersParts) => {
  const listening = new WeakSet<Worker>()
  const places = new WeakMap<Worker, number>()
  let isLeaving = false
  let worst = 0

  const all = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  const stop = (stopAfterMs: number): void => {
    isLeaving = true
    for (const worker of all()) worker.send({ stopAfterMs } satisfies Order)
  }
  const begin = (place: number) => {
    cluster.setupPrimary({ args: [...process.argv.slice(2), ...args, `${PLACE}${place}`] })
    places.set(cluster.fork(), place)
  }
  const replace = async (place: number) => {
    await clock.sleep(BETWEEN_BEGINNINGS)
    if (!isLeaving) begin(place)
  }

  cluster.on('listening', (worker) => listening.add(worker))
  cluster.on('exit', (worker, code, signal) => {
    if (isLeaving) worst = Math.max(worst, code ?? 1)
    else if (listening.has(worker)) {
      warn(`Worker ${worker.process.pid} ended (${signal ?? code}), another takes its place`)
      void replace(places.get(worker) ?? 1)
    } else {
      worst = 1
      stop(0)
    }
    if (isLeaving && all().length === 0) ended(worst)
  })
  for (let place = 1; place <= count; place++) begin(place)
  return { stop }
}

/** Obeys the first process, and ends with it. */
export const obey = (stop: (afterMs: number) => void): void => {
  process.on('message', (message) => {
    if (isOrder(message)) stop(message.stopAfterMs)
  })
  process.on('disconnect', () => stop(0))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
}
