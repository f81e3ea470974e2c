import { GatewayError } from '../errors.ts'
import type { Request } from './request.ts'

/**
 * Whether the plan permits a premium route is told only by asking, at 2 credits: so one request asks first, and those
 * of its route that come meanwhile wait for what it learns.
 */
export const createScouts = () => {
  const permitted = new Set<string>()
  const underWay = new Map<string, Promise<void>>()

  return {
    /** The end of the request that finds out about this one's route; undefined where there is nothing to wait for. */
    ahead: ({ endpoint, key }: Request, flights: { has(key: string): boolean }) =>
      endpoint.credits === 2 && !flights.has(key) ? underWay.get(endpoint.route) : undefined,
    /** Takes in what becomes of a request that was sent. */
    follow({ endpoint: { credits, route } }: Request, answer: Promise<unknown>): void {
      if (credits !== 2) return
      const learn = (failure?: unknown): void => {
        if (failure === undefined) permitted.add(route)
        else if (failure instanceof GatewayError && failure.code === 'UPSTREAM_FORBIDDEN')
          permitted.delete(route)
      }
      const learnt = answer.then(() => learn(), learn)
      if (permitted.has(route) || underWay.has(route)) return
      underWay.set(
        route,
        learnt.finally(() => underWay.delete(route)),
      )
    },
  }
}
