import { createLadders } from '../world/ladder.ts'
import type { World } from '../world.ts'
import { platARows } from './chart/plat-a.ts'
import { platBRows } from './chart/plat-b.ts'
import { platDRows } from './chart/plat-d.ts'
import { platERows } from './chart/plat-e.ts'
import { platFRows } from './chart/plat-f.ts'
import { platGRows } from './chart/plat-g.ts'
import { platURows } from './chart/plat-u.ts'
import { createRecordings } from './chart/recording.ts'

/**
 * Every chart. Days from 2020-01-01 to yesterday have an edition, platF on Fridays only.
 * Any other day: 404 on platB, platG and platU; no rows on platA, platD, platE and platF.
 */
export const chartRows = (world: World) => {
  const ladders = createLadders(world)
  const recordings = createRecordings(world)
  return {
    ...platARows(world),
    ...platBRows(world, ladders, recordings),
    ...platDRows(world, ladders, recordings),
    ...platERows(world, ladders, recordings),
    ...platFRows(world, ladders, recordings),
    ...platGRows(world, ladders, recordings),
    ...platURows(ladders, recordings),
  }
}
