import {
  type FieldNode,
  type GraphQLField,
  getArgumentValues,
  isRequiredArgument,
  Kind,
  type ValueNode,
  valueFromAST,
} from 'graphql'

type Args = Record<string, unknown>
type Variables = Readonly<Record<string, unknown>>

/** The arguments of a field that no variable decides, and which variable each of the others is. */
interface Prepared {
  readonly settled: Args
  readonly variables: readonly (readonly [argument: string, variable: string])[]
}

type Definition = GraphQLField<unknown, unknown>

/** By definition, since a fragment may ask the same of several types. */
const known = new WeakMap<Definition, WeakMap<FieldNode, Prepared | 'odd'>>()

const holdsVariable = (value: ValueNode): boolean => {
  if (value.kind === Kind.LIST) return value.values.some(holdsVariable)
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => holdsVariable(field.value))
  return value.kind === Kind.VARIABLE
}

/** Odd is one that only graphql-js can read: a variable within a value, what is missing, what is refused. */
const prepare = ({ args }: Definition, node: FieldNode): Prepared | 'odd' => {
  const settled: Args = {}
  const variables: [string, string][] = []
  for (const argument of args) {
    const { name, type, defaultValue } = argument
    const given = node.arguments?.find((one) => one.name.value === name)?.value
    if (given?.kind === Kind.VARIABLE) {
      variables.push([name, given.name.value])
      continue
    }
    if (given === undefined ? isRequiredArgument(argument) : holdsVariable(given)) return 'odd'
    const value = given === undefined ? defaultValue : valueFromAST(given, type)
    if (value !== undefined) settled[name] = value
    else if (given !== undefined) return 'odd'
  }
  return { settled, variables }
}

const preparedOf = (definition: Definition, node: FieldNode): Prepared | 'odd' => {
  const before = known.get(definition)?.get(node)
  if (before !== undefined) return before
  const prepared = prepare(definition, node)
  known.set(definition, (known.get(definition) ?? new WeakMap()).set(node, prepared))
  return prepared
}

/** The arguments of a field that no variable decides; undefined where one may. */
export const settledOf = (definition: Definition, node: FieldNode): Args | undefined => {
  const prepared = preparedOf(definition, node)
  return prepared === 'odd' || prepared.variables.length > 0 ? undefined : prepared.settled
}

/** The arguments of a field as the schema reads them, from variables that it has read; throws where it refuses them. */
export const argumentsOf = (
  definition: Definition,
  node: FieldNode,
  variables: Variables,
): Args => {
  const prepared = preparedOf(definition, node)
  if (prepared === 'odd') return getArgumentValues(definition, node, variables)
  if (prepared.variables.length === 0) return prepared.settled
  const args: Args = Object.assign({}, prepared.settled)
  for (const [argument, variable] of prepared.variables) {
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined
    // What is missing has a default, or is refused.
    if (value === undefined || value === null) return getArgumentValues(definition, node, variables)
    args[argument] = value
  }
  return args
}
