import { type Billed, costOf } from './meter.ts'
import type { Followed, Watch, WireRequest } from './send.ts'
import { making, type Step, when } from './step.ts'

/** A request with what its watches send along. */
const dressed = (request: WireRequest, followed: readonly Followed[]): WireRequest => {
  if (followed.every(({ headers }) => headers === undefined)) return request
  const headers = Object.assign({}, ...followed.map((one) => one.headers), request.headers)
  return { ...request, headers }
}

/** Tells of each attempt as it leaves, and how it ended. */
export const createWatched =
  (watches: readonly Watch[], billed: Billed) =>
  (next: Step): Step => {
    if (watches.length === 0) return next
    const told = making((outcome, request: WireRequest, followed: readonly Followed[]) => {
      const credits = costOf(billed, request, outcome)
      for (const one of followed) one.end(outcome, credits)
      return outcome
    })
    return (request, caller, end) =>
      when(
        () => watches.map((watch) => watch(request, caller)),
        (followed) =>
          next(dressed(request, followed), caller, (outcome) =>
            end(told(outcome, request, followed)),
          ),
        end,
      )
  }
