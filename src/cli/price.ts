import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createLedger } from '../credits/ledger.ts'
import { createPlans, type Held } from '../plan/plan.ts'
import type { CreditPlan, PlannedCall } from '../plan/price.ts'
import { schema } from '../schema/index.ts'
import { createServed } from '../upstream/served.ts'
import { type FileOperation, operationsOf } from './operation.ts'

/** What the command prints, and how it ends: 0 fine, 1 too dear, 2 not to be priced. */
export interface Outcome {
  readonly code: 0 | 1 | 2
  readonly text: string
}

export const USAGE = `refrain price <files or folders> [--variables <file>] [--max <credits>] [--base <file or folder>] [--json]

Prices GraphQL operations without asking anybody: credits at least, likely, and at most, with nothing held.
  --variables  JSON: values by variable, or by operation name and variable
  --max        fails (1) where an operation may cost more
  --base       fails (1) where an operation may cost more than the one of the same name there
  --json       prints JSON in place of a table`

/** Nothing is held: every request is a miss. */
const NOTHING: Held = {
  state: () => 'miss',
  has: () => false,
  holds: () => false,
  elsewhere: () => undefined,
}

interface Priced {
  readonly name: string
  readonly file: string
  readonly plan: CreditPlan
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const variablesFor = (given: Record<string, unknown>, name: string): Record<string, unknown> => {
  const own = given[name]
  return isRecord(own) ? own : given
}

const priceAll = (operations: readonly FileOperation[], given: Record<string, unknown>) => {
  const plans = createPlans(schema, NOTHING)
  const nobody = { ledger: createLedger(), deadline: 0, directives: {}, since: 0 }
  const faults: string[] = []
  const priced = operations.flatMap(({ name, file, document }): Priced[] => {
    const planned = plans(document, undefined, variablesFor(given, name))
    if (planned === undefined) {
      faults.push(`${file}: ${name}: its variables need values, give them with --variables`)
      return []
    }
    return [{ name, file, plan: planned.price({ ...nobody, served: createServed() }) }]
  })
  return { priced, faults }
}

const mostOf = ({ credits, count, most }: PlannedCall): number => credits * (most ?? count)

/** The fields that cost more than before, dearest first. */
const risen = (now: CreditPlan, before: CreditPlan): string[] => {
  const old = new Map(before.calls.map((call) => [`${call.path} ${call.endpoint}`, mostOf(call)]))
  return now.calls
    .map((call) => ({ call, by: mostOf(call) - (old.get(`${call.path} ${call.endpoint}`) ?? 0) }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)
    .map(({ call, by }) => `${call.path} (${call.endpoint}) +${by}`)
}

const table = (priced: readonly Priced[]): string => {
  const rows = [
    ['operation', 'min', 'likely', 'max', 'what it asks for'],
    ...priced.map(({ name, plan: { min, likely, max, calls } }) => [
      name,
      String(min),
      String(likely),
      String(max),
      calls
        .map(({ path, endpoint, most }) => `${path}: ${endpoint}${most ? ` ×${most}` : ''}`)
        .join(', '),
    ]),
  ]
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const complaintsOf = (
  priced: readonly Priced[],
  before: readonly Priced[],
  max: number | undefined,
): string[] => {
  const old = new Map(before.map((operation) => [operation.name, operation.plan]))
  return priced.flatMap(({ name, plan }) => {
    const was = old.get(name)
    return [
      ...(max !== undefined && plan.max > max
        ? [`${name} may cost ${plan.max} credits, more than ${max}`]
        : []),
      ...(was !== undefined && plan.max > was.max
        ? [
            `${name} may cost ${plan.max} credits in place of ${was.max}: ${risen(plan, was).join(', ')}`,
          ]
        : []),
    ]
  })
}

/** The command `refrain price`. */
export const priceCommand = (args: readonly string[]): Outcome => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      variables: { type: 'string' },
      max: { type: 'string' },
      base: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  if (positionals.length === 0) return { code: 2, text: USAGE }
  const max = values.max === undefined ? undefined : Number(values.max)
  if (max !== undefined && !(Number.isSafeInteger(max) && max >= 0))
    return { code: 2, text: `--max must be a whole number of credits, got ${values.max}` }
  const given: unknown =
    values.variables === undefined ? {} : JSON.parse(readFileSync(values.variables, 'utf8'))
  const variables = isRecord(given) ? given : {}
  const files = operationsOf(positionals, schema)
  const { priced, faults } = priceAll(files.faults.length > 0 ? [] : files.operations, variables)
  const broken = [...files.faults, ...faults]
  if (broken.length > 0) return { code: 2, text: broken.join('\n') }
  const base = values.base === undefined ? [] : operationsOf([values.base], schema).operations
  const complaints = complaintsOf(priced, priceAll(base, variables).priced, max)
  const text = values.json
    ? JSON.stringify({ operations: priced, complaints }, null, 2)
    : [table(priced), ...complaints].join('\n')
  return { code: complaints.length > 0 ? 1 : 0, text }
}
