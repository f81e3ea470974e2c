import { parse, visit } from 'graphql'
import { expect, test } from 'vitest'
import { brokenBound } from '../src/plugins/bounds.ts'

const doubled = (levels: number): string => {
  const twice = (level: number) =>
    `fragment F${level} on Query { ...F${level + 1} ...F${level + 1} }`
  const last = `fragment F${levels} on Query { credits: charts { __typename } }`
  return `{ ...F0 } ${Array.from({ length: levels }, (_, level) => twice(level)).join(' ')} ${last}`
}

test('doubled fragments are read as often as they are written', () => {
  const document = parse(doubled(25))
  let sets = 0
  let reads = 0
  visit(document, {
    SelectionSet(set) {
      const { selections } = set
      sets += 1
      Object.defineProperty(set, 'selections', {
        get: () => {
          reads += 1
          return selections
        },
      })
    },
  })
  reads = 0
  expect(brokenBound(document)?.message).toMatch(/fields with fragments written out/)
  // Once as a definition of its own, once where it is spread first.
  expect(reads).toBeLessThanOrEqual(2 * sets)
})
