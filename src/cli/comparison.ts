import type { CreditPlan, PlannedCall } from '../plan/price.ts'

/** The requests that one field may cause, of one endpoint. */
export interface Cause {
  readonly path: string
  readonly endpoint: string
  /** How many at most, and what they cost together. */
  readonly most: number
  readonly credits: number
}

/** What may be sent, by the field that causes it, in the order of the plan. */
export const causesOf = ({ calls }: CreditPlan): Cause[] => {
  const causes = new Map<string, Cause>()
  const add = ({ path, endpoint, credits, count, most: open }: PlannedCall): void => {
    const key = `${path} ${endpoint}`
    const most = (causes.get(key)?.most ?? 0) + (open ?? count)
    causes.set(key, { path, endpoint, most, credits: most * credits })
  }
  for (const call of calls) add(call)
  return [...causes.values()]
}

/** The fields that may cost more than before, dearest first: `charts.platB.nodes.track (track) +20`. */
export const risesOf = (now: CreditPlan, before: CreditPlan): string[] => {
  const old = new Map(
    causesOf(before).map(({ path, endpoint, credits }) => [`${path} ${endpoint}`, credits]),
  )
  return causesOf(now)
    .map((cause) => ({
      cause,
      by: cause.credits - (old.get(`${cause.path} ${cause.endpoint}`) ?? 0),
    }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)
    .map(({ cause: { path, endpoint }, by }) => `${path} (${endpoint}) +${by}`)
}
