import SchemaBuilder from '@pothos/core'
import type { Context } from '../context.ts'
import {
  BigIntScalar,
  CountryCodeScalar,
  DateScalar,
  DateTimeScalar,
  JSONScalar,
  LocalDateTimeScalar,
  URLScalar,
} from './scalars.ts'

type Text = { Input: string; Output: string }

/** Fields are nullable unless they say otherwise, so that non-null is always a decision. */
export const builder = new SchemaBuilder<{
  Context: Context
  Scalars: {
    ID: { Input: string; Output: string | number }
    Date: Text
    DateTime: Text
    LocalDateTime: Text
    CountryCode: Text
    URL: Text
    BigInt: { Input: number | string; Output: number | string }
    JSON: { Input: unknown; Output: unknown }
  }
}>({})

builder.addScalarType('Date', DateScalar)
builder.addScalarType('DateTime', DateTimeScalar)
builder.addScalarType('LocalDateTime', LocalDateTimeScalar)
builder.addScalarType('CountryCode', CountryCodeScalar)
builder.addScalarType('URL', URLScalar)
builder.addScalarType('BigInt', BigIntScalar)
builder.addScalarType('JSON', JSONScalar)

builder.queryType({
  description:
    'Everything that can be asked. One request to the service is one credit (premium: two); what is held costs nothing.',
})
