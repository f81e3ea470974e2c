import { it } from 'vitest'
import { effortOf } from './effort.ts'
import { PARTS } from './parts.ts'

for (const [name, , runs, holds] of PARTS) {
  const { effort, title } = effortOf(runs)
  it(`${name} (${title})`, () => holds(effort))
}
