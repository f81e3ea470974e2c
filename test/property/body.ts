import * as fc from 'fast-check'
import { isObject } from '../../src/upstream/envelopes.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const KEPT = 2

/** Lists cut to what shows the shape of a row, totals with them: the rest of a body would only repeat it. */
export const shortened = (value: Json): Json => {
  if (Array.isArray(value)) return value.slice(0, KEPT).map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === 'total' ? KEPT : shortened(member)]),
  )
}

type Path = readonly (string | number)[]

const pathsOf = (value: Json, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, at]) => pathsOf(at, [...path, key]))]
}

// Stand where JSON text goes that no value can hold: `__proto__` as a member, or more levels than the stack.
const MARK = '@text:'
const MARKED = /"@text:(\d+)"/g
const POLLUTING = [
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  '{"__proto__":[],"id":5,"name":"x"}',
  '{"toString":1,"valueOf":2,"hasOwnProperty":3,"then":4,"constructor":5,"length":6,"toJSON":7}',
  '{"__proto__":null,"prototype":{"polluted":1}}',
]
const nested = (levels: number, isList: boolean): string =>
  isList
    ? '['.repeat(levels) + ']'.repeat(levels)
    : `${'{"data":'.repeat(levels)}null${'}'.repeat(levels)}`

const REMOVED = Symbol('removed')

const replaced = (value: Json, [key, ...rest]: Path, by: Json | typeof REMOVED): Json => {
  if (key === undefined) return by === REMOVED ? null : by
  const isEnd = rest.length === 0 && by === REMOVED
  if (Array.isArray(value))
    return isEnd
      ? value.toSpliced(Number(key), 1)
      : value.with(Number(key), replaced(value[Number(key)] ?? null, rest, by))
  const { [key]: old = null, ...others } = value as { [key: string]: Json }
  return isEnd ? others : { ...others, [key]: replaced(old, rest, by) }
}

/** The same thing as another type of JSON. */
const retyped = (value: Json, to: number): Json =>
  [
    [value],
    { value },
    String(value),
    Number(value) || 0,
    Boolean(value),
    '',
    [],
    {},
    JSON.stringify(value),
    [null, value, null],
  ][to % 10] ?? null

const at = (value: Json, path: Path): Json =>
  path.reduce<Json>((inner, key) => (inner as { [key: string]: Json })[key] ?? null, value)

type Change = (node: Json) => { readonly by: Json | typeof REMOVED; readonly text?: string }
const text = (raw: string) => ({ by: `${MARK}0`, text: raw })

const SPECIAL: Json[] = [
  ...[-1, 0.5, 1e308, -0, 2 ** 53, 2 ** 31, 1e21],
  ...['', ' ', '0', '-1', '1e999', 'NaN', '9'.repeat(400), '\u0000', '\ud800', ',', '2025-02-30'],
  ...['9999-99-99T99:99:99Z', 'javascript:alert(1)', 'http://[', '🇩🇪', 'undefined'],
]

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }).map((value) => () => ({ by: value as Json })),
  fc.constantFrom(...SPECIAL).map((value) => () => ({ by: value })),
  fc.constant(() => ({ by: REMOVED }) as const),
  fc.nat(9).map((to) => (node: Json) => ({ by: retyped(node, to) })),
  fc.tuple(fc.constantFrom(3, 100, 100_000), fc.boolean()).map(
    ([levels, isList]) =>
      () =>
        text(nested(levels, isList)),
  ),
  fc.constantFrom(...POLLUTING).map((raw) => () => text(raw)),
)

const written = (body: Json, raw: string | undefined): string =>
  JSON.stringify(body).replace(MARKED, () => raw ?? 'null')

/** Texts of answers: a valid body with one node changed, or any JSON at all. */
export const answersLike = (valid: Json): fc.Arbitrary<string> => {
  const paths = pathsOf(valid)
  const changed = fc.tuple(fc.nat(paths.length - 1), change).map(([index, changing]) => {
    const path = paths[index] ?? []
    const { by, text: raw } = changing(at(valid, path))
    return written(replaced(valid, path, by), raw)
  })
  const anything = fc.jsonValue({ maxDepth: 5 })
  return fc.oneof(
    { weight: 8, arbitrary: changed },
    { weight: 1, arbitrary: anything.map((obj) => JSON.stringify({ obj })) },
    { weight: 1, arbitrary: anything.map((body) => JSON.stringify(body)) },
  )
}
