import { type Billed, costOf } from './meter.ts'
import type { Outcome, Send, Watch } from './send.ts'

/** Tells of each attempt as it leaves, and how it ended. */
export const createWatched =
  (watches: readonly Watch[], billed: Billed) =>
  (next: Send): Send => {
    if (watches.length === 0) return next
    return async (request, caller) => {
      const followed = watches.map((watch) => watch(request, caller))
      const headers = Object.assign({}, ...followed.map((one) => one.headers), request.headers)
      let outcome: Outcome = { error: undefined }
      try {
        const answer = await next({ ...request, headers }, caller)
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
