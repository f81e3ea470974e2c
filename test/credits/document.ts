import type * as fc from 'fast-check'
import { getNamedType, isLeafType, parse, validate } from 'graphql'
import { schema } from '../../src/schema/index.ts'
import { type Arguments, literal, type Value } from './argument.ts'
import { type Chosen, selections } from './grammar.ts'

/** An operation as it is sent. */
export interface Sendable {
  readonly query: string
  readonly variables: Readonly<Record<string, Value>>
}

/** The same operation, with its values in the document and with its values beside it. */
export interface Operation {
  readonly inline: Sendable
  readonly bound: Sendable
}

const hash = (text: string): string => {
  let sum = 5381
  for (const letter of text) sum = (Math.imul(sum, 33) ^ letter.charCodeAt(0)) >>> 0
  return sum.toString(36)
}

/** The key of a field in the answer: the same where, and only where, field, arguments and type are. */
const keyOf = ({ field, args, isRenamed, parent }: Chosen, isOneOfSeveral: boolean): string => {
  const said = Object.keys(args).length > 0
  if (!said && !isRenamed && !isOneOfSeveral) return field.name
  return `${field.name}_${hash(JSON.stringify([args, isOneOfSeveral ? parent.name : '', said]))}`
}

const print = (chosen: readonly Chosen[], isBound: boolean): Sendable => {
  const variables: Record<string, Value> = {}
  const declared = new Map<string, string>()
  const fragments: string[] = []
  /** One variable for one value, so that equal fields stay equal. */
  const given = (value: Value, type: string): string => {
    const key = `${type} ${JSON.stringify(value)}`
    const name = declared.get(key) ?? `v${declared.size}`
    declared.set(key, name)
    variables[name] = value
    return `$${name}`
  }

  const argumentsIn = (args: Arguments, field: Chosen['field']): string => {
    const written = field.args.flatMap(({ name, type }) => {
      const value = args[name]
      if (value === undefined) return []
      return [`${name}: ${isBound ? given(value, String(type)) : literal(value, type)}`]
    })
    return written.length === 0 ? '' : `(${written.join(', ')})`
  }

  const write = (one: Chosen, isOneOfSeveral: boolean): string => {
    const { field, args, below, within, parent, directive, of } = one
    const key = keyOf(one, isOneOfSeveral)
    const named = key === field.name ? key : `${key}: ${field.name}`
    const on =
      directive === undefined
        ? ''
        : ` @${directive.name}(if: ${isBound ? given(directive.if, 'Boolean!') : directive.if})`
    const said = argumentsIn(args, field)
    const under = below.map((child) => write(child, of !== undefined)).join(' ') || '__typename'
    const set = of === undefined ? under : `__typename ... on ${of.name} { ${under} }`
    const tail = isLeafType(getNamedType(field.type)) ? '' : ` { ${set} }`
    if (within === 'field') return `${named}${said}${on}${tail}`
    const text = `${named}${said}${tail}`
    if (within === 'inline') return `... on ${parent.name}${on} { ${text} }`
    const name = `F${fragments.length}`
    fragments.push(`fragment ${name} on ${parent.name} { ${text} }`)
    return `...${name}${on}`
  }

  const body = chosen.map((one) => write(one, false)).join(' ')
  const head = [...declared].map(([key, name]) => `$${name}: ${key.split(' ')[0]}`).join(', ')
  return {
    query: [`${head && `query (${head}) `}{ ${body} }`, ...fragments].join('\n'),
    variables,
  }
}

const isValid = ({ query }: Sendable): boolean => validate(schema, parse(query)).length === 0

/** Operations over the whole schema: arguments, aliases, fragments, directives, four links deep. */
export const operations: fc.Arbitrary<Operation> = selections
  .map((chosen) => ({ inline: print(chosen, false), bound: print(chosen, true) }))
  .filter(({ inline }) => isValid(inline))
