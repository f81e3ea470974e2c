import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isRequiredArgument,
} from 'graphql'
import type { Endpoint } from '../upstream/endpoint.ts'
import type { Args } from '../upstream/params.ts'
import { spendsOf } from './spends.ts'

/** A value that a type takes; texts are such that countries, words and ids all take them. */
const sample = (type: GraphQLInputType): unknown => {
  const inner = getNullableType(type)
  if (isListType(inner)) return [sample(inner.ofType)]
  const named = getNamedType(inner)
  if (isEnumType(named)) return named.getValues()[0]?.value
  if (named.name === 'ID') return '5'
  return ['Int', 'Float', 'BigInt'].includes(named.name) ? 5 : 'US'
}

const choices = ({ type }: GraphQLArgument): readonly unknown[] => {
  const inner = getNullableType(type)
  return isEnumType(inner) ? inner.getValues().map(({ value }) => value) : []
}

/** Arguments that a field takes; where one is an enumeration, once with each of its values. */
const samples = ({ args }: GraphQLField<unknown, unknown>): Args[] => {
  const given = args.filter(isRequiredArgument)
  const one = Object.fromEntries(given.map((arg) => [arg.name, sample(arg.type)]))
  const others = given.flatMap((arg) =>
    choices(arg).map((value) => ({ ...one, [arg.name]: value })),
  )
  return [one, ...others]
}

/** Stands for any object that a field may hang on. */
const ANYTHING = { cmId: '5', query: 'US' } as never
const NOWHERE = { fieldNodes: [], fragments: {}, variableValues: {} }

/** The endpoints whose requests a field may send itself, by what its resolver says. */
export const endpointsOf = (field: GraphQLField<unknown, unknown>): ReadonlySet<Endpoint> => {
  const { looksUp, sends, asks, shares } = spendsOf(field)
  return new Set(
    samples(field).flatMap((args) => [
      ...(looksUp?.(args) ?? []).flatMap(({ request }) => request?.endpoint ?? []),
      ...(sends?.(ANYTHING, args) ?? []).map(({ endpoint }) => endpoint),
      ...(asks === undefined ? [] : [asks(ANYTHING, args, NOWHERE)?.view.endpoint ?? []].flat()),
      ...(shares === undefined ? [] : [shares.endpoint]),
    ]),
  )
}
