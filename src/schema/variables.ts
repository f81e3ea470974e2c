import {
  type GraphQLLeafType,
  type GraphQLSchema,
  getVariableValues,
  isInputType,
  isLeafType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'

type Values = Record<string, unknown>

/** A variable that takes a scalar or a word, and has no default. */
interface Plain {
  readonly name: string
  readonly type: GraphQLLeafType
  readonly isRequired: boolean
}

/** By operation: its variables, where all of them are plain. */
const known = new WeakMap<OperationDefinitionNode, readonly Plain[] | 'odd'>()

const plainOf = (schema: GraphQLSchema, definition: VariableDefinitionNode): Plain | undefined => {
  const type = typeFromAST(schema, definition.type)
  const isRequired = isNonNullType(type)
  const inner = isRequired ? type.ofType : type
  const name = definition.variable.name.value
  if (definition.defaultValue !== undefined || name === '__proto__') return undefined
  return isInputType(inner) && isLeafType(inner) ? { name, type: inner, isRequired } : undefined
}

const prepare = (
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): readonly Plain[] | 'odd' => {
  const plain = definitions.flatMap((definition) => plainOf(schema, definition) ?? [])
  return plain.length === definitions.length ? plain : 'odd'
}

/** Undefined where only graphql-js can tell: what is missing or refused. */
const read = (plain: readonly Plain[], given: Readonly<Values>): Values | undefined => {
  const values: Values = {}
  try {
    for (const { name, type, isRequired } of plain) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      if (value !== undefined && value !== null) {
        values[name] = type.parseValue(value)
        if (values[name] === undefined) return undefined
      } else if (isRequired) return undefined
      else if (value === null) values[name] = null
    }
  } catch {
    // graphql-js says what is wrong.
    return undefined
  }
  return values
}

/** The variables of an operation as a schema reads them; undefined where it refuses them. */
export const variablesOf = (
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Readonly<Values>,
): Values | undefined => {
  const { variableDefinitions: definitions = [] } = operation
  const before = known.get(operation)
  const plain = before ?? prepare(schema, definitions)
  if (before === undefined) known.set(operation, plain)
  const values = plain === 'odd' ? undefined : read(plain, given)
  return values ?? getVariableValues(schema, definitions, { ...given }).coerced
}
