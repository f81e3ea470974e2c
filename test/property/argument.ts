import * as fc from 'fast-check'
import { isEnumType } from 'graphql'
import { GatewayError } from '../../src/errors.ts'
import { schema } from '../../src/schema/index.ts'
import type { Endpoint } from '../../src/upstream/endpoint.ts'
import type { Args, Kind, Param } from '../../src/upstream/params.ts'
import { checkArgs } from '../../src/upstream/request.ts'

/** Words that a closed or patterned kind may take: what the schema's enumerations send, and what the specification shows. */
const WORDS: readonly string[] = [
  ...Object.values(schema.getTypeMap()).flatMap((type) =>
    isEnumType(type) ? type.getValues().map(({ value }) => String(value)) : [],
  ),
  ...['US', 'GB', 'GLOBAL', 'latin', 'danceedm', 'film-tv-and-stage', 'alternative', 'techno'],
  ...['2020-02-29', '2025-06-06', '2025-06-07', '2025-12-31', '5', '0', '007', '12345678901234567'],
]

/** Texts that paths and queries trip over. */
const AWKWARD = [
  ...[
    '..',
    '.',
    '%2e%2e',
    '../..',
    'a/b',
    'a\\b',
    '?',
    '#',
    '&',
    '=',
    '+',
    ' ',
    '%',
    '%25',
    '{id}',
  ],
  ...['$&', '$1', '\u0000', '\n', 'é', 'é', '🎸', '://', '@', ';', ':', '[]', 'a&limit=5'],
]

/** Values that a kind takes. */
const valuesOf = (kind: Kind): fc.Arbitrary<unknown> => {
  const takes = (value: unknown): boolean => kind.check(value) !== undefined
  const some = (values: readonly unknown[]) => fc.constantFrom(...values.filter(takes))
  if (takes({}))
    return fc.dictionary(
      fc.stringMatching(/^[A-Za-z0-9_.-]{1,5}$/),
      fc.oneof(fc.constantFrom(...AWKWARD), fc.integer(), fc.boolean(), fc.array(fc.integer())),
      { maxKeys: 3 },
    )
  if (takes(true)) return fc.boolean()
  if (takes(0.5)) return fc.double({ noNaN: true, noDefaultInfinity: true })
  if (kind.least !== undefined) {
    const min = kind.least
    const max = Math.min(kind.most ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    const number = fc
      .oneof(fc.maxSafeInteger(), fc.constantFrom(min, max))
      .map((n) => clamp(n, min, max))
    return fc.oneof(number, number.map(String), fc.integer({ min, max: Math.min(max, min + 3) }))
  }
  const words = some(WORDS)
  if (!takes('any text: ½')) return words
  return fc.oneof(some([...WORDS, ...AWKWARD]), fc.string({ unit: 'binary' }).filter(takes))
}
const clamp = (n: number, min: number, max: number) => Math.max(min, Math.min(max, n))

const argumentOf = (param: Param): fc.Arbitrary<unknown> => {
  const value = valuesOf(param.kind)
  const given = param.many
    ? fc.array(value, {
        minLength: param.required ? 1 : 0,
        maxLength: Math.min(5, param.most ?? 5),
      })
    : value
  return param.required ? given : fc.option(given, { nil: undefined, freq: 1 })
}

/** The arguments without those that break a rule; undefined where that is not to be had. */
const repaired = (endpoint: Endpoint, args: Args): Args | undefined => {
  try {
    checkArgs(endpoint, args)
    return args
  } catch (failure) {
    if (!(failure instanceof GatewayError)) throw failure
    const name = failure.facts.argument ?? ''
    const { [name]: wrong, ...others } = args
    return wrong === undefined ? undefined : repaired(endpoint, others)
  }
}

const present = (args: Args): Args =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))

/** Arguments that an endpoint takes. */
export const argsOf = (endpoint: Endpoint): fc.Arbitrary<Args> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(endpoint.params).map(([name, param]) => [name, argumentOf(param)]),
      ),
    )
    .map((args) => {
      const whole = present(args)
      const dated = 'latest' in endpoint.params && whole.date === undefined
      return repaired(endpoint, dated ? { ...whole, latest: true } : whole)
    })
    .filter((args) => args !== undefined)
