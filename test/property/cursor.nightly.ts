import { it } from 'vitest'
import { cursorsAreRefusedOrPage } from './cursor.ts'
import { effortOf } from './effort.ts'

const { effort, title } = effortOf(170_000)

it(`any text as a cursor is refused for nothing, or gives a page (${title})`, () =>
  cursorsAreRefusedOrPage(effort))
