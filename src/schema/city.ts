import { additionalFields } from '../upstream/decode.ts'
import type { City as CityRow } from '../upstream/endpoints/city.ts'
import { builder } from './builder.ts'

export const City = builder.objectRef<CityRow>('City').implement({
  description: 'A city as its parent names it; an event knows only number, name and province.',
  fields: (t) => ({
    cmId: t.int({
      nullable: false,
      description: "The service's number. Wire: id",
      resolve: ({ cmId }) => cmId ?? 0,
    }),
    name: t.expose('name', { type: 'String', description: 'Name. Wire: name' }),
    nameAscii: t.expose('nameAscii', {
      type: 'String',
      description: 'Name without accents. Wire: name_ascii',
    }),
    population: t.expose('population', {
      type: 'BigInt',
      description: 'Inhabitants. Wire: population',
    }),
    country: t.expose('country', {
      type: 'String',
      description: 'Name of the country. Wire: country',
    }),
    countryCode: t.expose('countryCode', {
      type: 'CountryCode',
      description: 'Country. Wire: code2',
    }),
    province: t.expose('province', { type: 'String', description: 'Province. Wire: province' }),
    isTriggerCity: t.expose('isTriggerCity', {
      type: 'Boolean',
      description: 'Whether a trigger city. Wire: trigger_city',
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})
