import {
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { spendsOf } from './spends.ts'

type Field = GraphQLField<unknown, unknown>

const SOURCE = 'Wire: '

/** What a null of a field means: its own words where it has some, else that nothing is known; a request may fail too. */
const nullOf = (field: Field): string => {
  const { of, asks, looksUp, sends, shares } = spendsOf(field)
  const mayFail = [of, asks, looksUp, sends, shares].some((sending) => sending !== undefined)
  const isSaid =
    /\bnull\b/i.test(field.description ?? '') || asks !== undefined || shares !== undefined
  if (isSaid) return mayFail ? 'Null, with an error, if not answered.' : ''
  return mayFail ? 'Null if unknown, or with an error if not answered.' : 'Null if unknown.'
}

const nullabilityOf = (field: Field): string => {
  const isList = isListType(getNullableType(field.type))
  if (!isNonNullType(field.type))
    return `${nullOf(field)}${isList ? ' Empty for none.' : ''}`.trim()
  if (!field.description?.includes(SOURCE)) return ''
  return isList ? 'Never null, empty for none.' : 'Never null.'
}

const ended = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`)

/** Says of every field what its null means, before its source. */
export const tellNullability = (schema: GraphQLSchema): GraphQLSchema => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(isObjectType(type) || isInterfaceType(type)) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      const [meaning = '', source] = (field.description ?? '').split(SOURCE)
      const told = [
        ended(meaning.trim()),
        nullabilityOf(field),
        source === undefined ? '' : `${SOURCE}${source}`,
      ]
      field.description = told.filter((part) => part !== '').join(' ')
    }
  }
  return schema
}
