import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { counted } from '../count.ts'
import { hashOf } from '../documents.ts'
import { wordsOf } from '../errors.ts'
import { causesOf, countOf, risesOf } from './comparison.ts'
import { isRecord, LIMIT, type Priced, pricingOf, type Variables } from './pricing.ts'

/** What the command prints, and how it ends: 0 fine, 1 too dear, 2 not to be priced. */
export interface Outcome {
  readonly code: 0 | 1 | 2
  readonly text: string
}

export const USAGE = `refrain price <files or folders> [--variables <file>] [--max <credits>] [--base <file or folder>] [--manifest <file>] [--json]

Prices GraphQL operations without asking anybody: credits at least, likely, and at most, with nothing held.
Where an operation follows a list within a row, nobody says how long that is (×10+): its "at most" is then its own @credits(limit:), else ${LIMIT}, and no less than what all else in it may cost.
  --variables  JSON: values by variable, or by operation name and variable
  --max        ends with 1 where an operation may cost more, by its "at most"
  --base       ends with 1 where an operation may cost more than the one of the same name there
  --manifest   writes the documents with their prices, by hash: what DOCUMENTS_FILE takes; not where this ends with 1
  --json       prints JSON in place of a table
Of a JSON file the documents are priced that it has under their hashes, as graphql-codegen writes them.
Ends with 2 where something cannot be priced: no operation of the schema, a variable without a value, a wrong option.`

const table = (priced: readonly Priced[]): string => {
  const rows = [
    ['operation', 'min', 'likely', 'max', 'what it asks for'],
    ...priced.map(({ name, plan }) => [
      name,
      String(plan.min),
      String(plan.likely),
      String(plan.max),
      causesOf(plan)
        .map(({ path, endpoint, most, isOpen }) => {
          const times = most > 1 ? ` ×${most}` : ''
          return `${path}: ${endpoint}${times}${isOpen ? '+' : ''}`
        })
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

const overMax = (priced: readonly Priced[], max: number): string[] =>
  priced.flatMap(({ name, plan }) =>
    plan.max > max ? [`${name} may cost ${counted(plan.max, 'credit')}, more than ${max}`] : [],
  )

const overBase = (priced: readonly Priced[], before: readonly Priced[]): string[] => {
  const old = new Map(before.map(({ name, plan }) => [name, plan]))
  return priced.flatMap(({ name, plan }) => {
    const was = old.get(name)
    if (was === undefined || plan.max < was.max) return []
    const rises = risesOf(plan, was).join(', ')
    if (plan.max > was.max)
      return [`${name} may cost ${counted(plan.max, 'credit')} in place of ${was.max}: ${rises}`]
    // Where both are bounded by a limit only, what they count tells them apart.
    return countOf(plan) > countOf(was) ? [`${name} may cost more than it did: ${rises}`] : []
  })
}

const readVariables = (file: string | undefined): Variables => {
  if (file === undefined) return {}
  const text = readFileSync(file, 'utf8')
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file}: ${wordsOf(cause)}`, { cause })
  }
  if (isRecord(given)) return given
  throw new Error(`${file}: expected an object of variables`)
}

/** Trusted documents by hash, each with its price as a reviewer reads it: as printed, and as written where that differs. */
const manifestOf = (priced: readonly Priced[]) =>
  Object.fromEntries(
    priced.flatMap(({ name, text, hash, written, plan: { min, likely, max } }) => {
      const entry = { name, min, likely, max }
      const printed = [hash, { ...entry, document: text }] as const
      if (written === undefined || written === text) return [printed]
      return [printed, [hashOf(written), { ...entry, document: written }] as const]
    }),
  )

const readMax = (text: string | undefined): number | undefined => {
  if (text === undefined || /^\d{1,15}$/.test(text))
    return text === undefined ? undefined : Number(text)
  throw new Error(`--max must be a whole number of credits, got ${JSON.stringify(text)}`)
}

/** The command `refrain price`; whatever cannot be read is thrown. */
export const priceCommand = (args: readonly string[]): Outcome => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      variables: { type: 'string' },
      max: { type: 'string' },
      base: { type: 'string' },
      manifest: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  if (positionals.length === 0) return { code: 2, text: USAGE }
  const max = readMax(values.max)
  const variables = readVariables(values.variables)
  const { priced, faults } = pricingOf(positionals, variables)
  if (faults.length > 0) return { code: 2, text: faults.join('\n') }
  if (priced.length === 0) return { code: 2, text: `${positionals.join(', ')}: no operation` }
  // What the other revision cannot price is no measure, and no reason to stop this one.
  const base = values.base === undefined ? undefined : pricingOf([values.base], variables)
  const complaints = [
    ...(max === undefined ? [] : overMax(priced, max)),
    ...overBase(priced, base?.priced ?? []),
  ]
  const notes = (base?.faults ?? []).map((fault) => `not compared: ${fault}`)
  if (values.manifest !== undefined && complaints.length === 0)
    writeFileSync(values.manifest, `${JSON.stringify(manifestOf(priced), null, 2)}\n`)
  const operations = priced.map(({ name, file, plan }) => ({ name, file, plan }))
  const text = values.json
    ? JSON.stringify({ operations, complaints, notes }, null, 2)
    : [table(priced), ...complaints, ...notes].join('\n')
  return { code: complaints.length > 0 ? 1 : 0, text }
}
