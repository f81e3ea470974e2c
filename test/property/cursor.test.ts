import { it } from 'vitest'
import { cursorsAreRefusedOrPage } from './cursor.ts'
import { EVERY_COMMIT, effortOf } from './effort.ts'

const { effort, title } = effortOf(400, EVERY_COMMIT)

it(`any text as a cursor is refused for nothing, or gives a page (${title})`, () =>
  cursorsAreRefusedOrPage(effort))
