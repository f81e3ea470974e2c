import type { Caller, Outcome, Send, WireRequest } from './send.ts'

/** Takes how it ended. */
export type End = (outcome: Outcome) => void

/**
 * One concern on the way to the socket: it tells `end` once, and throws nothing. No promises: most requests pass each
 * concern at once, and of those that wait there are many. Nor does what it gives the next as `end` throw: above the socket
 * nobody would catch it. Where it can make nothing of an outcome, why is the outcome.
 */
export type Step = (request: WireRequest, caller: Caller, end: End) => void

/** Goes on with what is at hand, or once it is; where there is none, `end` is told why. */
export const when = <T>(find: () => T | Promise<T>, go: (found: T) => void, end: End): void => {
  let found: T | Promise<T>
  try {
    found = find()
  } catch (error) {
    end({ error })
    return
  }
  if (found instanceof Promise) found.then(go, (error: unknown) => end({ error }))
  else go(found)
}

/** A way to the socket as whoever asks sees it. */
export const sending =
  (step: Step): Send =>
  (request, caller) =>
    new Promise((resolve, reject) =>
      step(request, caller, (outcome) =>
        'answer' in outcome ? resolve(outcome.answer) : reject(outcome.error),
      ),
    )
