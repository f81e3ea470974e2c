import { it } from 'vitest'
import { cursorsAreRefusedOrPage } from './cursor.ts'

const RUNS = Number(process.env.RUNS ?? 100_000)

it('any text as a cursor is refused for nothing, or gives a page', () =>
  cursorsAreRefusedOrPage(RUNS))
