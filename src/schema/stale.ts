import type { Context } from '../context.ts'
import type { Given } from '../upstream/desk.ts'
import { keysOf, type Path } from './path.ts'

/** Tells once of each thing in the answer that it is past its freshness, how old it is and why. */
export const reportStale = (
  context: Context,
  thing: object,
  stale: NonNullable<Given['stale']>,
  path: Path | undefined,
): void => {
  if (context.toldStale.has(thing)) return
  context.toldStale.add(thing)
  context.staleParts.push({ path: keysOf(path), ...stale })
}
