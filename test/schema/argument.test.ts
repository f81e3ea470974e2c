import { type FieldNode, getArgumentValues, Kind, parse, visit } from 'graphql'
import { expect, it } from 'vitest'
import { argsOf } from '../../src/schema/argument.ts'
import { schema } from '../../src/schema/index.ts'

const fieldIn = (document: string): FieldNode => {
  const found: FieldNode[] = []
  visit(parse(document), { [Kind.FIELD]: (node: FieldNode) => void found.push(node) })
  const [field] = found
  if (field === undefined) throw new Error('it has a field')
  return field
}

/** What is given, or the refusal of it; objects as they are written. */
const told = (read: () => unknown): unknown => {
  try {
    return JSON.parse(JSON.stringify(read()))
  } catch (failure) {
    return String(failure)
  }
}

const VALUES = [1, null, 'PLAT_B', [5], [5, null], { tagIds: [5] }, true]
const GIVEN = [{}, ...VALUES.flatMap((a) => [{ a }, { a, b: 2 }, { a, b: null }])]

it.each([
  'platform: PLAT_B, filter: { tagIds: [$a] }',
  'platform: PLAT_B, filter: { tagIds: [7, $a, $b], editorialOnly: false }',
  'platform: PLAT_B, filter: { tagIds: $a, isIndie: null }',
  'platform: PLAT_B, filter: { countryCode: "DE", tagIds: [1] }, first: $b',
  'platform: $a, filter: { tagIds: [1, null] }',
  'platform: PLAT_B, orderBy: { field: $a }',
  'platform: PLAT_B, orderBy: { field: FOLLOWERS, direction: $a }',
  'platform: PLAT_B, orderBy: { direction: $a }',
  'platform: PLAT_B, filter: $a, last: $b',
  'filter: { tagIds: [$a] }',
])('reads (%s) as graphql-js reads it', (args) => {
  const node = fieldIn(`query ($a: Int, $b: Int) { playlists(${args}) { totalCount } }`)
  const field = schema.getQueryType()?.getFields().playlists
  if (field === undefined) throw new Error('there is such a field')
  for (const variables of GIVEN)
    expect(told(() => argsOf(field, node)(variables))).toStrictEqual(
      told(() => getArgumentValues(field, node, variables)),
    )
})
