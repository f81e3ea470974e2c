import type { GatewayError } from '../errors.ts'
import type { Request } from './request.ts'

/** A request that finds out, and its end. */
interface Scout {
  readonly key: string
  readonly learnt: Promise<void>
  readonly end: () => void
}

const createScout = (key: string): Scout => {
  let end = () => {}
  const learnt = new Promise<void>((resolve) => {
    end = resolve
  })
  return { key, learnt, end }
}

/**
 * Whether the plan permits a premium route is told only by asking, at 2 credits: so one request asks first, and those
 * of its route that come meanwhile wait for what it learns.
 */
export const createScouts = () => {
  const permitted = new Set<string>()
  const underWay = new Map<string, Scout>()

  return {
    /** The end of the request that finds out about this one's route; undefined where there is nothing to wait for. */
    ahead: ({ endpoint, key }: Request, flights: { has(key: string): boolean }) =>
      endpoint.credits === 2 && !flights.has(key)
        ? underWay.get(endpoint.route)?.learnt
        : undefined,
    /** A request is sent. */
    follow({ endpoint: { credits, route }, key }: Request): void {
      if (credits !== 2 || permitted.has(route) || underWay.has(route)) return
      underWay.set(route, createScout(key))
    },
    /** Takes in what became of it. */
    learn({ endpoint: { credits, route }, key }: Request, failure?: GatewayError): void {
      if (credits !== 2) return
      if (failure === undefined) permitted.add(route)
      else if (failure.code === 'UPSTREAM_FORBIDDEN') permitted.delete(route)
      const scout = underWay.get(route)
      if (scout?.key !== key) return
      underWay.delete(route)
      scout.end()
    },
  }
}
