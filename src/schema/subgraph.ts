import { filterSchema, printSchemaWithDirectives } from '@graphql-tools/utils'
import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
} from 'graphql'
import { findingMany } from './finding.ts'
import { schema } from './index.ts'
import { ENTITIES, represented } from './representation.ts'

const SPECIFICATION = 'https://specs.apollo.dev/federation/v2.9'
const IMPORTED = ['@key', '@shareable', '@inaccessible', '@cost', '@listSize']

export interface SubgraphOptions {
  /** Whether `node` and `nodes` are part of it; one subgraph of a supergraph can have them. */
  readonly nodeInterface: boolean
}

const entityTypes = ENTITIES.map((name) => schema.getType(name)).filter(isObjectType)

const query = (schema.getQueryType() as GraphQLObjectType).toConfig()

/** The face with other root fields. */
const withRoot = (fields: typeof query.fields, extensions = {}): GraphQLSchema => {
  const root = new GraphQLObjectType({ ...query, fields })
  const types = Object.values(schema.getTypeMap())
  return new GraphQLSchema({
    ...schema.toConfig(),
    query: root,
    types: types.map((type) => (type.name === root.name ? root : type)),
    extensions,
  })
}

/** What two Relay subgraphs cannot both have: `node` finds its own objects only, and another's pages are not cut by a cap. */
const RELAYS_OWN = ['Query.node', 'Query.nodes', 'PageInfo.truncated']

/** What a router composes. */
export const printSubgraph = ({ nodeInterface }: SubgraphOptions): string => {
  const link = { url: SPECIFICATION, import: IMPORTED }
  const face = withRoot(query.fields, { directives: { link } })
  const isComposed = (type: string, field: string | undefined) =>
    nodeInterface || !RELAYS_OWN.includes(`${type}.${field}`)
  return printSchemaWithDirectives(
    filterSchema({ schema: face, rootFieldFilter: isComposed, objectFieldFilter: isComposed }),
  )
}

const Representation = new GraphQLScalarType({
  name: '_Any',
  description: 'The type and a key of an entity.',
})
const AnyEntity = new GraphQLUnionType({
  name: '_Entity',
  description: 'What other subgraphs name by its keys.',
  types: entityTypes,
})
const Service = new GraphQLObjectType({
  name: '_Service',
  description: 'What a router reads of a subgraph.',
  fields: { sdl: { type: GraphQLString, description: 'The schema that it composes.' } },
})

interface Represented {
  readonly representations: readonly unknown[]
}

/** The face with what a router asks beside it. */
export const createSubgraph = (options: SubgraphOptions): GraphQLSchema => {
  let sdl: string | undefined
  const printed = (): string => {
    sdl ??= printSubgraph(options)
    return sdl
  }
  return withRoot({
    ...query.fields,
    _entities: {
      description: 'The entities that a router names, in its order.',
      type: new GraphQLNonNull(new GraphQLList(AnyEntity)),
      args: {
        representations: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Representation))),
          description: 'Their types and keys.',
        },
      },
      resolve: findingMany(represented, 'representations', {
        represents: (({ representations }: Represented) => representations.length) as never,
      }),
    },
    _service: {
      description: 'What a router reads of a subgraph.',
      type: new GraphQLNonNull(Service),
      resolve: () => ({ sdl: printed() }),
    },
  })
}
