import type { Dispatcher } from 'undici'
import type { Together, Work } from '../../cohort.ts'
import type { Signal } from '../../signal.ts'
import { type BodyReader, MAX_BODY_BYTES, tooLarge } from './body.ts'
import { Came } from './came.ts'
import type { Departures } from './departure.ts'
import { faultOf, WireFault } from './fault.ts'
import type { Moment, Moments, Timed } from './moments.ts'
import type { Place, Room } from './room.ts'
import type { WireAnswer } from './send.ts'
import { type End, when } from './step.ts'

/** What all attempts share. */
export interface AttemptParts {
  readonly moments: Moments
  readonly room: Room
  readonly departures: Departures
  readonly together: Together
  readonly readBody: BodyReader
}

export const late = (endpoint: string, sent: boolean) =>
  new WireFault('TIMEOUT', `${endpoint}: the upstream did not answer in time`, {
    sent,
    repeatable: false,
  })

type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
  >
>

/** One request on the wire until its end, as undici tells of it. A class, since each request has one. */
export class Attempt implements Handler, Work, Timed {
  readonly #parts: AttemptParts
  readonly #endpoint: string
  readonly #left: Signal | undefined
  readonly #moment: Moment
  readonly #chunks: Buffer[] = []
  readonly #end: End
  #isOver = false
  #size = 0
  #sent = false
  #head: Pick<WireAnswer, 'status' | 'headers'> | undefined = undefined
  #place: Place | undefined = undefined
  #controller: Dispatcher.DispatchController | undefined = undefined

  /** Given up at the moment `until`, or when `left` ends before it is sent. */
  constructor(
    parts: AttemptParts,
    endpoint: string,
    until: number,
    left: Signal | undefined,
    end: End,
  ) {
    this.#parts = parts
    this.#endpoint = endpoint
    this.#left = left
    this.#end = end
    this.#moment = parts.moments.enter(until, this)
    left?.addEventListener('abort', this.#giveUp)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) {
      controller.abort(late(this.#endpoint, false))
      return
    }
    this.#controller = controller
    this.#parts.departures.expect(this)
  }

  depart(): void {
    this.#sent = true
  }

  /** A process that stood still finds its time up and the answer waiting: the answer counts. */
  timeUp(): void {
    setImmediate(() => this.#fail(late(this.#endpoint, this.#sent)))
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: WireAnswer['headers'],
  ): void {
    this.#head = { status, headers }
    this.#place ??= this.#parts.room.enter(controller)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > MAX_BODY_BYTES) {
      this.#fail(tooLarge(this.#endpoint))
      return
    }
    this.#chunks.push(chunk)
    this.#place?.add(chunk.length)
  }

  onResponseEnd(): void {
    if (this.#head === undefined || this.#isOver) return
    this.#settle()
    this.#parts.together(this)
  }

  goOn(): void {
    const { status = 0, headers = {} } = this.#head ?? {}
    const end: End = (outcome) => {
      this.#place?.leave()
      this.#end(outcome)
    }
    when(
      () => this.#parts.readBody(this.#chunks, headers, this.#endpoint),
      (bytes) => end({ answer: new Came(status, headers, bytes) }),
      end,
    )
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(faultOf(error, this.#endpoint, this.#sent))
  }

  readonly #giveUp = (): void => {
    if (!this.#sent) this.#fail(late(this.#endpoint, false))
  }

  #settle(): void {
    this.#isOver = true
    this.#parts.moments.leave(this.#moment, this)
    this.#left?.removeEventListener('abort', this.#giveUp)
  }

  #fail(fault: WireFault): void {
    if (this.#isOver) return
    this.#settle()
    this.#place?.leave()
    this.#controller?.abort(fault)
    this.#end({ error: fault })
  }
}
