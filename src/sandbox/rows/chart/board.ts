import type { Page } from '../../page.ts'
import type { Chart, Ladders } from '../../world/ladder.ts'
import { type ChartAsk, EMPTY, type Publication } from './edition.ts'
import { placed } from './place.ts'

/** A chart of tracks that can be asked for a page of an edition. */
interface Board {
  readonly ladders: Ladders
  readonly publication: Publication
  readonly key: string
  /** Rows of an edition. */
  readonly rows: number
  readonly missing: 'empty' | '404'
  /** Writes a row: its track, its place, the edition and the row's number within the chart. */
  row(track: number, place: ReturnType<typeof placed>, edition: number): object
}

/** The asked part of the asked edition; undefined says that the service answers 404. */
export const pageOfBoard = (
  board: Board,
  ask: ChartAsk,
  offset = 0,
  limit = board.rows,
): Page | undefined => {
  const edition = board.publication.edition(ask)
  if (edition === undefined) return board.missing === 'empty' ? EMPTY : undefined
  const chart: Chart = { key: board.key, rows: board.rows, day: board.publication.day }
  const { run, tracks } = board.ladders(chart, edition)
  const rows = tracks.slice(offset, offset + limit).map((track) => {
    return board.row(track, placed(chart, run(track)), edition)
  })
  return { rows, total: tracks.length }
}

/** The number of a row: the same row of the same edition always has it. */
export const rowNumber = (edition: number, rank: number): number => edition * 1_000 + rank - 1
