/** Tells once that something is over; an AbortSignal is one. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Who can end what a signal is about. */
export interface Controller {
  readonly signal: Signal
  abort(reason?: unknown): void
}

class Ending implements Signal, Controller {
  aborted = false
  reason: unknown
  #listeners: (() => void)[] = []

  get signal(): Signal {
    return this
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const place = this.#listeners.indexOf(listener)
    if (place >= 0) this.#listeners.splice(place, 1)
  }

  abort(reason?: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

/**
 * What an AbortController does, for what each request has several of: Node's own makes an event and an exception of
 * each end, and whatever listens to it outlives the request until the whole heap is collected.
 */
export const createController = (): Controller => new Ending()
