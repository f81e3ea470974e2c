import { isObjectType } from 'graphql'

/** The fields that ask an endpoint for something, by the endpoint's name. */
export const usesOf = (schema, endpointsOf) => {
  const uses = new Map()
  for (const type of Object.values(schema.getTypeMap()))
    for (const field of isObjectType(type) ? Object.values(type.getFields()) : [])
      for (const { name } of endpointsOf(field)) {
        const path = type.name === 'Query' ? field.name : `${type.name}.${field.name}`
        uses.set(name, new Set(uses.get(name)).add(path))
      }
  return uses
}
