import type { Budget } from './budget.ts'
import type { Figures } from './figures.ts'

const HOUR = 3_600_000

/** When a budget ends at the pace of the last hour; undefined where its next span begins before, and for that of a client, whose pace is not counted. */
export const exhaustion = (
  { client, remaining, resetsAt }: Pick<Budget, 'client' | 'remaining' | 'resetsAt'>,
  { perHour }: Pick<Figures, 'perHour'>,
  now: number,
): number | undefined => {
  if (client !== undefined || perHour <= 0) return undefined
  const at = now + (remaining / perHour) * HOUR
  return at < resetsAt ? at : undefined
}
