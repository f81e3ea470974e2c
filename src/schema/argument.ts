import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  getArgumentValues,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  Kind,
  type ValueNode,
  valueFromAST,
} from 'graphql'

type Args = Record<string, unknown>
type Variables = Readonly<Record<string, unknown>>

/** Reads a value of variables; undefined where only graphql-js can tell what it is: for what is missing, or null. */
type Read = (variables: Variables) => unknown

/** The arguments of a field that no variable decides, and how each of the others is read. */
interface Prepared {
  readonly settled: Args
  readonly open: readonly (readonly [argument: string, read: Read])[]
}

type Definition = GraphQLField<unknown, unknown>

interface Known {
  readonly definition: Definition
  readonly prepared: Prepared | 'odd'
}

/** By node; a fragment may ask the same of several types, of which the last counts. */
const known = new WeakMap<FieldNode, Known>()

const holdsVariable = (value: ValueNode): boolean => {
  if (value.kind === Kind.LIST) return value.values.some(holdsVariable)
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => holdsVariable(field.value))
  return value.kind === Kind.VARIABLE
}

const nothing: Read = () => undefined

const listOf =
  (items: readonly Read[]): Read =>
  (variables) => {
    const all = items.map((read) => read(variables))
    return all.includes(undefined) ? undefined : all
  }

const objectOf =
  (fields: readonly (readonly [name: string, read: Read])[]): Read =>
  (variables) => {
    const object: Args = {}
    for (const [name, read] of fields) {
      const value = read(variables)
      if (value === undefined) return undefined
      object[name] = value
    }
    return object
  }

const readOf = (value: ValueNode, type: GraphQLInputType): Read => {
  if (value.kind === Kind.VARIABLE) {
    const name = value.name.value
    return (variables) => (Object.hasOwn(variables, name) ? variables[name] : null) ?? undefined
  }
  if (!holdsVariable(value)) {
    const settled = valueFromAST(value, type)
    return () => settled
  }
  const inner = getNullableType(type)
  if (value.kind === Kind.LIST && isListType(inner))
    return listOf(value.values.map((item) => readOf(item, inner.ofType)))
  if (value.kind !== Kind.OBJECT || !isInputObjectType(inner)) return nothing
  const given = new Map(value.fields.map((field) => [field.name.value, field.value]))
  return objectOf(
    Object.values(inner.getFields()).flatMap(({ name, type, defaultValue }) => {
      const own = given.get(name)
      if (own !== undefined) return [[name, readOf(own, type)]]
      if (defaultValue !== undefined) return [[name, () => defaultValue]]
      return isNonNullType(type) ? [[name, nothing]] : []
    }),
  )
}

/** Odd is one that only graphql-js can read: what is missing, what is refused. */
const prepare = ({ args }: Definition, node: FieldNode): Prepared | 'odd' => {
  const settled: Args = {}
  const open: [string, Read][] = []
  for (const argument of args) {
    const { name, type, defaultValue } = argument
    const given = node.arguments?.find((one) => one.name.value === name)?.value
    if (given !== undefined && holdsVariable(given)) {
      open.push([name, readOf(given, type)])
      continue
    }
    if (given === undefined && isRequiredArgument(argument)) return 'odd'
    const value = given === undefined ? defaultValue : valueFromAST(given, type)
    if (value !== undefined) settled[name] = value
    else if (given !== undefined) return 'odd'
  }
  return { settled, open }
}

const preparedOf = (definition: Definition, node: FieldNode): Prepared | 'odd' => {
  const before = known.get(node)
  if (before?.definition === definition) return before.prepared
  const prepared = prepare(definition, node)
  known.set(node, { definition, prepared })
  return prepared
}

/** The arguments of a field that no variable decides; undefined where one may. */
export const settledOf = (definition: Definition, node: FieldNode): Args | undefined => {
  const prepared = preparedOf(definition, node)
  return prepared === 'odd' || prepared.open.length > 0 ? undefined : prepared.settled
}

/** The arguments of a field as the schema reads them, of variables that it has read; throws where it refuses them. */
export type ArgsOf = (variables: Variables) => Args

/** How the arguments of a field are read. */
export const argsOf = (definition: Definition, node: FieldNode): ArgsOf => {
  const prepared = preparedOf(definition, node)
  if (prepared === 'odd') return (variables) => getArgumentValues(definition, node, variables)
  const { settled, open } = prepared
  if (open.length === 0) return () => settled
  return (variables) => {
    const args: Args = Object.assign({}, settled)
    for (const [argument, read] of open) {
      const value = read(variables)
      // What is missing has a default, or is refused.
      if (value === undefined) return getArgumentValues(definition, node, variables)
      args[argument] = value
    }
    return args
  }
}
