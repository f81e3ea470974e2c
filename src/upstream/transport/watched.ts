import { type Billed, costOf } from './meter.ts'
import type { Followed, Outcome, Send, Watch, WireRequest } from './send.ts'

/** A request with what its watches send along. */
const dressed = (request: WireRequest, followed: readonly Followed[]): WireRequest => {
  if (followed.every(({ headers }) => headers === undefined)) return request
  const headers = Object.assign({}, ...followed.map((one) => one.headers), request.headers)
  return { ...request, headers }
}

/** Tells of each attempt as it leaves, and how it ended. */
export const createWatched =
  (watches: readonly Watch[], billed: Billed) =>
  (next: Send): Send => {
    if (watches.length === 0) return next
    return async (request, caller) => {
      const followed = watches.map((watch) => watch(request, caller))
      let outcome: Outcome = { error: undefined }
      try {
        const answer = await next(dressed(request, followed), caller)
        outcome = { answer }
        return answer
      } catch (error) {
        outcome = { error }
        throw error
      } finally {
        const credits = costOf(billed, request, outcome)
        for (const one of followed) one.end(outcome, credits)
      }
    }
  }
