import * as fc from 'fast-check'
import {
  type GraphQLArgument,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
} from 'graphql'

export type Value = null | number | string | boolean | readonly Value[] | { [name: string]: Value }

/** Numbers of which few are asked for, so that operations meet; the last is nobody's. */
const IDS = [2, 3, 5, 7, 11, 2_000_000_000]
const id = fc.constantFrom(...IDS)
const size = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 2, arbitrary: fc.constantFrom(25, 100, 200, 1000) },
)
const globalId = fc
  .tuple(fc.constantFrom('Artist', 'Track', 'Album', 'Venue'), id)
  .map(([type, cmId]) => `${type}:${cmId}`)
const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 1, maxLength: 3 })

/** Values by the name of the argument; one that stands nowhere here is left out. */
const VALUES: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  cmId: id,
  cmIds: some(id),
  trackCmIds: some(id),
  id: globalId,
  ids: some(globalId),
  first: size,
  last: fc.integer({ min: 0, max: 4 }),
  query: fc.constantFrom('river', 'blue'),
  countryCode: fc.constantFrom('US', 'DE'),
  date: fc.constantFrom('2025-06-06', '2026-03-09', '2031-01-01'),
  min: fc.constantFrom(0, 1000),
  max: fc.constantFrom(100_000, 9_000_000_000),
  genre: fc.constantFrom('latin', 'techno', 'rock'),
  fromDaysAgo: fc.constant(400),
  toDaysAgo: fc.constantFrom(0, -30),
  platform: fc.constant('platA'),
  status: fc.constant('current'),
  names: fc.constant(['sp_followers', 'new']),
  allowPartial: fc.boolean(),
  triggerCitiesOnly: fc.boolean(),
  filter: fc.constant({}),
}

const ofType = (name: string, type: GraphQLInputType): fc.Arbitrary<Value> | undefined => {
  if (isNonNullType(type)) return ofType(name, type.ofType)
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map((value) => value.name))
  if (isListType(type) && isEnumType(type.ofType)) return undefined
  if (name === 'cmId' && String(type) === 'ID') return id.map(String)
  if (isInputObjectType(type) && name === 'orderBy') {
    const { field, direction } = type.getFields()
    const [fields, directions] = [field, direction].map((one) => one && ofType('', one.type))
    if (fields === undefined || directions === undefined) return undefined
    return fc.record({ field: fields, direction: directions }) as fc.Arbitrary<Value>
  }
  return VALUES[name]
}

export type Arguments = Readonly<Record<string, Value>>

/** Arguments that a field takes: all that it must have, some of the others; undefined where one cannot be told. */
export const argumentsOf = (
  args: readonly GraphQLArgument[],
): fc.Arbitrary<Arguments> | undefined => {
  const known = args.flatMap((arg) => {
    const value = ofType(arg.name, arg.type)
    return value === undefined ? [] : [{ arg, value }]
  })
  if (args.some((arg) => isRequiredArgument(arg) && !known.some((one) => one.arg === arg)))
    return undefined
  const required = known.filter(({ arg }) => isRequiredArgument(arg)).map(({ arg }) => arg.name)
  return fc.record(Object.fromEntries(known.map(({ arg, value }) => [arg.name, value])), {
    requiredKeys: [
      ...required,
      ...(known.some(({ arg }) => arg.name === 'first') ? ['first'] : []),
    ],
  }) as fc.Arbitrary<Arguments>
}

/** A value as a literal of the document. */
export const literal = (value: Value, type: GraphQLInputType): string => {
  if (isNonNullType(type)) return literal(value, type.ofType)
  if (isListType(type) && Array.isArray(value))
    return `[${value.map((item) => literal(item, type.ofType)).join(', ')}]`
  if (isEnumType(type) && typeof value === 'string') return value
  if (isInputObjectType(type) && typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, own]) => {
        const field = type.getFields()[name]
        return field === undefined ? '' : `${name}: ${literal(own, field.type)}`
      })
      .join(', ')}}`
  return JSON.stringify(value)
}
