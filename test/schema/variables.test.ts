import { getVariableValues, type OperationDefinitionNode, parse } from 'graphql'
import { expect, it } from 'vitest'
import { schema } from '../../src/schema/index.ts'
import { variablesOf } from '../../src/schema/variables.ts'

const TYPES = [
  'Int',
  'Float',
  'String',
  'Boolean',
  'ID',
  'Date',
  'BigInt',
  'JSON',
  'PlaylistPlatform',
]
const VALUES = [
  ...[0, 5, -1, 1.5, 2 ** 31, 2 ** 53, '', '5', 'PLAT_B', 'platB', '2024-02-29', '2024-02-30'],
  ...[true, null, [], [5], {}, { a: [1] }, '9'.repeat(40)],
]

const operationOf = (definitions: string): OperationDefinitionNode => {
  const [operation] = parse(`query (${definitions}) { __typename }`).definitions
  if (operation?.kind !== 'OperationDefinition') throw new Error('it is a query')
  return operation
}

const theirs = ({ variableDefinitions = [] }: OperationDefinitionNode, given: object) =>
  getVariableValues(schema, variableDefinitions, { ...given }).coerced

const forms = TYPES.flatMap((type) => [
  ...[`$a: ${type}`, `$a: ${type}!`, `$a: [${type}!]`, `$b: Int $a: ${type}`],
])

it.each([...forms, '$a: Int = 7', '$a: Date! = "2024-01-01"', '$a: PlaylistFilter', '$a: Nobody'])(
  'reads (%s) as graphql-js reads it',
  (definitions) => {
    const operation = operationOf(definitions)
    for (const given of [...VALUES.map((a) => ({ a })), {}, { b: 1 }, { c: 1 }, { a: 5, b: 'x' }])
      expect(variablesOf(schema, operation, given)).toStrictEqual(theirs(operation, given))
  },
)

it('takes nothing from the prototype of what was sent', () => {
  const operation = operationOf('$toString: String $__proto__: JSON')
  for (const given of [{}, JSON.parse('{"__proto__":{"a":1}}')])
    expect(variablesOf(schema, operation, given)).toStrictEqual(theirs(operation, given))
})
