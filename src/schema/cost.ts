import { printSchemaWithDirectives } from '@graphql-tools/utils'
import {
  DirectiveLocation,
  type GraphQLArgument,
  GraphQLBoolean,
  GraphQLDirective,
  type GraphQLField,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql'
import { endpointsOf } from './endpoint-use.ts'
import { MOST_IN_A_ROW, spendsOf } from './spends.ts'

/**
 * Prices as others read them: https://ibm.github.io/graphql-specs/cost-spec.html. A sum of them is the most that an
 * operation may cost: what rows tell and what is held, only a plan knows.
 */
const cost = new GraphQLDirective({
  name: 'cost',
  description: 'Credits of one occurrence, where nothing is held.',
  locations: [DirectiveLocation.OBJECT, DirectiveLocation.FIELD_DEFINITION],
  args: { weight: { type: new GraphQLNonNull(GraphQLString), description: 'Credits.' } },
})
const names = { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) }
const listSize = new GraphQLDirective({
  name: 'listSize',
  description: 'How many things a field gives.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    assumedSize: { type: GraphQLInt, description: 'So many, where no argument tells.' },
    slicingArguments: { ...names, description: 'Arguments that tell.' },
    sizedFields: { ...names, description: 'Fields below that are so long.' },
    requireOneSlicingArgument: {
      type: GraphQLBoolean,
      defaultValue: true,
      description: 'Whether exactly one of them must be given.',
    },
  },
})

type Field = GraphQLField<unknown, unknown>

/** Credits of the record behind objects of a type; rows, edges, connections and the like have none. */
const recordCredits = (type: GraphQLObjectType): number =>
  Math.max(0, ...Object.values(type.getFields()).map((field) => spendsOf(field).of?.credits ?? 0))

/** Credits of a request that a field sends; a field that gives things with records leaves it to their type. */
const ownCredits = (field: Field): number | undefined => {
  const endpoints = [...endpointsOf(field)]
  const looksUp = spendsOf(field).looksUp !== undefined
  return looksUp || endpoints.length === 0
    ? undefined
    : Math.max(...endpoints.map(({ credits }) => credits))
}

const isPageSize = ({ name }: GraphQLArgument) => name === 'first' || name === 'last'

/** How many things a field gives: by its arguments for a page, as many as a plan takes for a list within a row. */
const sizeOf = (type: GraphQLObjectType, field: Field) => {
  const given = getNamedType(field.type)
  if (!isObjectType(given)) return undefined
  const slicing = field.args.filter(isPageSize)
  if (slicing.length > 0)
    return {
      assumedSize: Number(slicing[0]?.defaultValue),
      slicingArguments: slicing.map(({ name }) => name),
      sizedFields: PAGE_FIELDS.filter((name) => name in given.getFields()),
      requireOneSlicingArgument: false,
    }
  const isWithinRow = !type.name.endsWith('Connection') && field.args.length === 0
  return isWithinRow && isListType(getNullableType(field.type))
    ? { assumedSize: MOST_IN_A_ROW }
    : undefined
}

const PAGE_FIELDS = ['edges', 'nodes']

interface Priced {
  extensions: Readonly<Record<string, unknown>>
}

/** Writes prices beside what else is said of a type or a field; printers find them there. */
const publish = (on: Priced, prices: object): void => {
  on.extensions = {
    ...on.extensions,
    prices,
    directives: { ...(on.extensions.directives as object | undefined), ...prices },
  }
}

/** Puts the prices of the endpoints on the types and fields of a schema. */
export const publishPrices = (schema: GraphQLSchema): GraphQLSchema => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    if (type !== schema.getQueryType()) publish(type, { cost: { weight: recordCredits(type) } })
    for (const field of Object.values(type.getFields())) {
      const weight = ownCredits(field)
      const size = sizeOf(type, field)
      const prices = {
        ...(weight !== undefined && { cost: { weight } }),
        ...(size !== undefined && { listSize: size }),
      }
      if (Object.keys(prices).length > 0) publish(field, prices)
    }
  }
  return schema
}

/** What clients see, with its prices: introspection cannot show them. */
export const printPriced = (schema: GraphQLSchema): string =>
  printSchemaWithDirectives(
    new GraphQLSchema({
      ...schema.toConfig(),
      directives: [...schema.getDirectives(), cost, listSize],
    }),
    { pathToDirectivesInExtensions: ['prices'] },
  )
