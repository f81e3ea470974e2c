import { type Billed, costOf } from './meter.ts'
import type { Caller, Followed, Outcome, Watch, WireRequest } from './send.ts'
import type { Step } from './step.ts'

/** A request with what its watches send along. */
const dressed = (request: WireRequest, followed: readonly Followed[]): WireRequest => {
  if (followed.every(({ headers }) => headers === undefined)) return request
  const headers = Object.assign({}, ...followed.map((one) => one.headers), request.headers)
  return { ...request, headers }
}

/** Is told what went wrong with following a request: an answer that was paid for is lost to nobody by it. */
export type Warn = (text: string, failure?: unknown) => void

const NOT_FOLLOWED = 'A request is not followed any more:'

/** Tells of each attempt as it leaves, and how it ended. */
export const createWatched = (watches: readonly Watch[], billed: Billed, warn: Warn) => {
  const begin = (request: WireRequest, caller: Caller): Followed[] => {
    const followed: Followed[] = []
    for (const watch of watches)
      try {
        followed.push(watch(request, caller))
      } catch (failure) {
        warn(NOT_FOLLOWED, failure)
      }
    return followed
  }
  const end = (followed: readonly Followed[], outcome: Outcome, credits: number): void => {
    for (const one of followed)
      try {
        one.end(outcome, credits)
      } catch (failure) {
        warn(NOT_FOLLOWED, failure)
      }
  }
  return (next: Step): Step => {
    if (watches.length === 0) return next
    return (request, caller, tell) => {
      const followed = begin(request, caller)
      next(dressed(request, followed), caller, (outcome) => {
        end(followed, outcome, costOf(billed, request, outcome))
        tell(outcome)
      })
    }
  }
}
