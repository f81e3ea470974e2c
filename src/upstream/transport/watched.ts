import { type Billed, costOf } from './meter.ts'
import type { Followed, Watch, WireRequest } from './send.ts'
import type { Step } from './step.ts'

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
    return (request, caller, end) => {
      let followed: readonly Followed[]
      let sent: WireRequest
      try {
        followed = watches.map((watch) => watch(request, caller))
        sent = dressed(request, followed)
      } catch (error) {
        return end({ error })
      }
      return next(sent, caller, (outcome) => {
        let told = outcome
        try {
          const credits = costOf(billed, request, outcome)
          for (const one of followed) one.end(outcome, credits)
        } catch (error) {
          told = { error }
        }
        end(told)
      })
    }
  }
