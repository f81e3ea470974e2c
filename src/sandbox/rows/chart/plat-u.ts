import type { Page } from '../../page.ts'
import type { Ladders } from '../../world/ladder.ts'
import { pageOfBoard, rowNumber } from './board.ts'
import { type ChartAsk, daily } from './edition.ts'
import type { Recordings } from './recording.ts'

const ROWS = 50
const KEY = 'platU'

/** `GET /api/charts/platU`: 50 rows a day, 404 where there is no such day. */
export const platURows = (ladders: Ladders, recordings: Recordings) => ({
  platUChart: (ask: ChartAsk): Page | undefined =>
    pageOfBoard(
      {
        ladders,
        publication: daily,
        key: KEY,
        rows: ROWS,
        missing: '404',
        row: (id, place, edition) => ({
          id: `u-${rowNumber(edition, place.rank)}`,
          ...recordings.base(KEY, id),
          ...place,
          time_on_chart: String(place.time_on_chart),
          platU: String(550_000_000 + id),
        }),
      },
      ask,
    ),
})
