import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseWhole } from '../../src/upstream/json.ts'
import { frameOf, layoutOf, MARK, valuesIn } from '../../src/upstream/layout.ts'
import { EVERY_COMMIT, effortOf } from '../property/effort.ts'

const { effort, title } = effortOf(2000, EVERY_COMMIT)

const laid = (text: string) => {
  const layout = layoutOf(Buffer.from(text))
  const frame = layout && frameOf(layout)
  if (layout === undefined || frame === undefined) return undefined
  return { frame, rows: valuesIn(layout, 0, layout.bounds.length / 2), layout }
}

/** Texts that look like what stands between two rows. */
const tricky = fc.constantFrom(
  '},{',
  '},{"',
  '"},{"a":1',
  '[{',
  ']',
  '\\',
  '\\"},{"',
  'é🎹',
  '{}',
  '',
)
const flat = fc.dictionary(
  fc.oneof(tricky, fc.string()),
  fc.oneof(tricky, fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null)),
)
const nested = fc.dictionary(fc.string(), fc.oneof(tricky, fc.jsonValue(), fc.array(flat)))
const body = fc.record({
  before: fc.oneof(tricky, fc.integer()),
  obj: fc.oneof(
    fc.array(flat, { minLength: 1 }),
    fc.array(nested, { minLength: 1 }),
    fc.array(fc.jsonValue()),
  ),
  total: fc.oneof(tricky, fc.integer()),
})
const text = fc
  .tuple(body, fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent))

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
const wholeOf = (given: string): any => parseWhole(given)

const isJson = (given: string): boolean => {
  try {
    JSON.parse(given)
    return true
  } catch {
    return false
  }
}

describe(`the rows of a body (${title})`, () => {
  it('are where they lie what they are in all of it, or are not found', () => {
    fc.assert(
      fc.property(text, (given) => {
        const found = laid(given)
        if (found === undefined) return
        const whole = wholeOf(given)
        expect(found.rows).toEqual(whole.obj)
        expect(found.frame).toEqual({ ...whole, obj: [MARK] })
        for (const [place, row] of whole.obj.entries())
          expect(valuesIn(found.layout, place, place + 1)).toEqual([row])
      }),
      effort,
    )
  })
  it('are none but those of JSON, whatever becomes of the text', () => {
    const torn = fc.tuple(text, fc.nat(), fc.nat(20), fc.oneof(tricky, fc.string()))
    fc.assert(
      fc.property(torn, ([given, at, length, other]) => {
        const place = at % given.length
        const torn = given.slice(0, place) + other + given.slice(place + length)
        const changed = Buffer.from(torn).toString()
        const found = laid(changed)
        if (found === undefined || !isJson(changed)) return
        expect(Object.values(wholeOf(changed))).toContainEqual(found.rows)
      }),
      effort,
    )
  })
})

describe('a body', () => {
  const rows = (count: number, more = {}) =>
    Array.from({ length: count }, (_, id) => ({ id, name: `Dock },{ ${id}`, ...more }))
  it.each([
    ['flat rows', JSON.stringify({ obj: rows(1000), total: 5 }), 1000],
    ['a string that ends in braces', JSON.stringify({ obj: rows(9, { last: '},{' }) }), 9],
    ['a key that begins like the end of a string', '{"obj":[{"a":1},{",a":2}]}', 2],
    ['rows with rows in them', JSON.stringify({ obj: rows(9, { all: rows(3) }) }), 9],
    ['rows under data', JSON.stringify({ obj: { length: 3, data: rows(3) } }), 3],
    ['blanks', JSON.stringify({ obj: rows(7) }, null, 2), 7],
    ['an empty row', '{"obj":[{"a":1},{},{"b":2}]}', 3],
  ])('with %s is found', (_, given, count) => {
    expect(laid(given)?.rows).toHaveLength(count)
  })
  it.each([
    ['no array', '{"obj":{"id":1}}'],
    ['an empty array', '{"obj":[]}'],
    ['something that is no row', '{"obj":[{"id":1},null]}'],
    ['another array', '{"obj":[{"id":1}],"tags":[]}'],
    ['an array before it', '{"tags":[],"obj":[{"id":1}]}'],
    ['an object behind it', '{"obj":[{"id":1}],"page":{}}'],
    ['no end', '{"obj":[{"id":1},{"id":2}'],
    ['a string without an end', '{"obj":[{"id":"1}]}'],
    ['a first row that is no JSON', '{"obj":[{id:1},{"id":2}]}'],
    ['a last row that is no JSON', '{"obj":[{"id":1},{"id":2,}]}'],
    ['something behind it', '{"obj":[{"id":1}]}]'],
  ])('with %s is read whole', (_, given) => {
    expect(laid(given)).toBeUndefined()
  })
})
