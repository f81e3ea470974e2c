import { type Billed, costOf } from './meter.ts'
import type { Followed, Watch, WireRequest } from './send.ts'
import type { Step } from './step.ts'

/** A request with what its watches send along. */
const dressed = (request: WireRequest, followed: readonly Followed[]): WireRequest => {
  if (followed.every(({ headers }) => headers === undefined)) return request
  const headers = Object.assign({}, ...followed.map((one) => one.headers), request.headers)
  return { ...request, headers }
}

const told = (failure: unknown): string =>
  failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)

/** Tells of each attempt as it leaves, and how it ended. What goes wrong with that is told, and costs no answer. */
export const createWatched =
  (watches: readonly Watch[], billed: Billed, warn: (text: string) => void) =>
  (next: Step): Step => {
    if (watches.length === 0) return next
    const guarded = <T>(follow: () => T): T | undefined => {
      try {
        return follow()
      } catch (failure) {
        warn(`a request is not followed any more: ${told(failure)}`)
        return undefined
      }
    }
    return (request, caller, end) => {
      const followed: Followed[] = []
      for (const watch of watches) {
        const one = guarded(() => watch(request, caller))
        if (one !== undefined) followed.push(one)
      }
      next(dressed(request, followed), caller, (outcome) => {
        const credits = costOf(billed, request, outcome)
        for (const one of followed) guarded(() => one.end(outcome, credits))
        end(outcome)
      })
    }
  }
