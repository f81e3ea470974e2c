import type { Caller, Outcome, Send, WireRequest } from './send.ts'

/** Takes how it ended. */
export type End = (outcome: Outcome) => void

/**
 * One concern on the way to the socket: it tells `end` once, and throws nothing. No promises: most requests pass each
 * concern at once, and of those that wait there are many.
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

/**
 * What a concern makes of how it ended. Where that throws, it ended with what was thrown: nothing stands above the socket
 * that would catch it, so that it would be the end of the process, and those who wait would not hear of it.
 */
export const making =
  <A extends readonly unknown[]>(make: (outcome: Outcome, ...others: A) => Outcome) =>
  (outcome: Outcome, ...others: A): Outcome => {
    try {
      return make(outcome, ...others)
    } catch (error) {
      return { error }
    }
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
