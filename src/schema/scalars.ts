import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql'
import {
  GraphQLCountryCode,
  GraphQLDate,
  GraphQLDateTime,
  GraphQLJSON,
  GraphQLLocalDateTime,
  GraphQLURL,
} from 'graphql-scalars'

/**
 * A scalar of graphql-scalars whose values were read by the upstream client already, and whose arguments are checked
 * there too: so a bad one fails its own field, with the argument's name, and not the whole operation.
 */
const textual = (
  scalar: GraphQLScalarType,
  description: string,
): GraphQLScalarType<string, string> => {
  const parse = (value: unknown): string => {
    if (typeof value === 'string') return value
    throw new GraphQLError(`${scalar.name} must be a text, got ${JSON.stringify(value)}`)
  }
  return new GraphQLScalarType<string, string>({
    ...scalar.toConfig(),
    description,
    serialize: String,
    parseValue: parse,
    parseLiteral: (node) => parse(valueFromASTUntyped(node)),
  })
}

export const DateScalar = textual(
  GraphQLDate,
  'Day, YYYY-MM-DD, as written by the service; never shifted by a time zone.',
)
export const DateTimeScalar = textual(GraphQLDateTime, 'Moment, RFC 3339.')
export const LocalDateTimeScalar = textual(
  GraphQLLocalDateTime,
  'Moment on the clock of a place, without a zone, YYYY-MM-DDTHH:MM:SS.',
)
export const CountryCodeScalar = textual(GraphQLCountryCode, 'Country, two letters of ISO 3166-1.')
export const URLScalar = textual(GraphQLURL, 'Absolute URL.')
export const JSONScalar = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  description: 'Any JSON value.',
})

const whole = (value: unknown): number | string => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (typeof value === 'string' && /^-?\d{1,40}$/.test(value)) {
    const exact = BigInt(value)
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString()
  }
  throw new GraphQLError(
    `BigInt must be a whole number, as a string of digits beyond 2^53 - 1, got ${JSON.stringify(value)}`,
  )
}

export const BigIntScalar = new GraphQLScalarType<number | string, number | string>({
  name: 'BigInt',
  description: 'Whole number: a JSON number up to 2^53 - 1, a string of digits beyond.',
  serialize: whole,
  parseValue: whole,
  parseLiteral: (node) => whole(node.kind === Kind.INT ? node.value : valueFromASTUntyped(node)),
})
