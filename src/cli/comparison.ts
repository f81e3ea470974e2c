import type { CreditPlan, PlannedCall } from '../plan/price.ts'

/** The requests that one field may cause, of one endpoint. */
export interface Cause {
  readonly path: string
  readonly endpoint: string
  /** How many at most, and what they cost together. */
  readonly most: number
  readonly credits: number
  /** Whether it may be more all the same: nobody says how many. */
  readonly isOpen: boolean
}

/** What may be sent, by the field that causes it, in the order of the plan. */
export const causesOf = ({ calls }: CreditPlan): Cause[] => {
  const causes = new Map<string, Cause>()
  const add = ({ path, endpoint, credits, count, most: open, unbounded }: PlannedCall): void => {
    const key = `${path} ${endpoint}`
    const known = causes.get(key)
    const most = (known?.most ?? 0) + (open ?? count)
    const isOpen = unbounded === true || known?.isOpen === true
    causes.set(key, { path, endpoint, most, credits: most * credits, isOpen })
  }
  for (const call of calls) add(call)
  return [...causes.values()]
}

/** What a plan counts, a list within a row as ten: more than its most where a limit is all that bounds it. */
export const countOf = (plan: CreditPlan): number =>
  causesOf(plan).reduce((sum, { credits }) => sum + credits, 0)

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
    .map(
      ({ cause: { path, endpoint, isOpen }, by }) =>
        `${path} (${endpoint}) +${by}${isOpen ? ' or more' : ''}`,
    )
}
