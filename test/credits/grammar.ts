import * as fc from 'fast-check'
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql'
import { schema } from '../../src/schema/index.ts'
import { type Arguments, argumentsOf } from './argument.ts'

/** One selected field, before it is written down. */
export interface Chosen {
  readonly field: GraphQLField<unknown, unknown>
  readonly args: Arguments
  /** Whether it is called something else in the answer, as one with arguments always is. */
  readonly isRenamed: boolean
  /** A directive that keeps it out or lets it stand. */
  readonly directive?: { readonly name: 'include' | 'skip'; readonly if: boolean } | undefined
  /** Whether it stands there itself, or in a fragment. */
  readonly within: 'field' | 'inline' | 'fragment'
  readonly parent: GraphQLObjectType
  readonly below: readonly Chosen[]
  /** The type that the selection below is on, where the field may give several. */
  readonly of?: GraphQLObjectType | undefined
}

const LINKS = 4
/** What the gateway says of itself is another with each question. */
const OWN = new Set(['credits'])

const directive = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { name: 'include', if: true } as const,
      { name: 'include', if: false } as const,
      { name: 'skip', if: true } as const,
      { name: 'skip', if: false } as const,
    ),
  },
)
const within = fc.oneof(
  { weight: 6, arbitrary: fc.constant('field' as const) },
  { weight: 1, arbitrary: fc.constant('inline' as const) },
  { weight: 1, arbitrary: fc.constant('fragment' as const) },
)

/** The concrete types that a field may give. */
const typesOf = ({ type }: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] => {
  const named = getNamedType(type)
  if (isObjectType(named)) return [named]
  return isAbstractType(named) ? schema.getPossibleTypes(named) : []
}

/** Whether the type is a step of paging, and none of the links that an operation follows. */
const isPaging = ({ name }: GraphQLObjectType) => /(Connection|Edge|PageInfo)$/.test(name)

const sets = new Map<string, fc.Arbitrary<readonly Chosen[]>>()

const chosen = (
  parent: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  links: number,
): fc.Arbitrary<Chosen> | undefined => {
  const args = OWN.has(field.name) ? undefined : argumentsOf(field.args)
  if (args === undefined) return undefined
  const own = { args, isRenamed: fc.boolean(), directive, within }
  const chosenWith = (below: fc.Arbitrary<readonly Chosen[]>, of?: GraphQLObjectType) =>
    fc.record({ ...own, below }).map((made): Chosen => ({ ...made, field, parent, of }))
  if (isLeafType(getNamedType(field.type))) return chosenWith(fc.constant([]))
  const types = typesOf(field)
  const [only] = types
  if (only === undefined) return undefined
  const left = isPaging(only) || parent.name === 'Query' ? links : links - 1
  if (left < 0) return undefined
  if (types.length === 1) return chosenWith(selectionOn(only, left))
  return fc.constantFrom(...types).chain((type) => chosenWith(selectionOn(type, left), type))
}

/** A selection on objects of a type, at most so many links deep. */
const selectionOn = (type: GraphQLObjectType, links: number): fc.Arbitrary<readonly Chosen[]> => {
  const key = `${type.name} ${links}`
  const known = sets.get(key)
  if (known !== undefined) return known
  // Types lead back to themselves, but never with as many links left.
  const made = fc.constant(undefined).chain(() => choicesOn(type, links))
  sets.set(key, made)
  return made
}

/** What costs most is hidden in lists of things with records of their own. */
const weightOf = ({ type }: GraphQLField<unknown, unknown>): number => {
  const named = getNamedType(type)
  const hasRecord = isObjectType(named) && named.getInterfaces().some(({ name }) => name === 'Node')
  return hasRecord ? (isListType(getNullableType(type)) ? 8 : 3) : 1
}

const choicesOn = (type: GraphQLObjectType, links: number): fc.Arbitrary<readonly Chosen[]> => {
  const fields = Object.values(type.getFields())
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)))
  const others = fields.filter((field) => !leaves.includes(field))
  const options = (of: readonly GraphQLField<unknown, unknown>[]) =>
    of.flatMap((field) => {
      const arbitrary = chosen(type, field, links)
      return arbitrary === undefined ? [] : [{ weight: weightOf(field), arbitrary }]
    })
  const [plain, deep] = [options(leaves), options(others)]
  if (plain.length + deep.length === 0) return fc.constant([])
  if (deep.length === 0) return fc.array(fc.oneof(...plain), { minLength: 1, maxLength: 3 })
  const choice =
    plain.length === 0
      ? fc.oneof(...deep)
      : fc.oneof(
          { weight: 2, arbitrary: fc.oneof(...plain) },
          { weight: 3, arbitrary: fc.oneof(...deep) },
        )
  return fc.array(choice, { minLength: 1, maxLength: 3 })
}

const root = schema.getQueryType()
if (!root) throw new Error('the schema has no query')

/** What an operation selects. */
export const selections: fc.Arbitrary<readonly Chosen[]> = selectionOn(root, LINKS)
