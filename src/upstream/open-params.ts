import { isObject } from './envelopes.ts'
import { decimal, type Kind, type Param, query } from './params.ts'

const MOST_MEMBERS = 20
const MOST_ITEMS = 100
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

type Pair = readonly [name: string, text: string]

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined
  if (typeof value === 'boolean') return String(value)
  return decimal.check(value) === undefined ? undefined : decimal.write(value)
}

const pairsOf = (name: string, value: unknown): Pair[] | undefined => {
  if (!NAME.test(name)) return undefined
  const items = Array.isArray(value) ? value : [value]
  const texts = items.flatMap((item) => textOf(item) ?? [])
  if (texts.length < items.length || items.length > MOST_ITEMS) return undefined
  return texts.map((text) => [Array.isArray(value) ? `${name}[]` : name, text])
}

const isPairs = (value: unknown): value is readonly Pair[] => Array.isArray(value)

const flat: Kind = {
  doc: `a flat object of at most ${MOST_MEMBERS} members: texts, finite numbers, booleans or lists of these, named by letters, digits, _, . and -`,
  check(value) {
    if (!isObject(value)) return undefined
    const members = Object.entries(value)
    const pairs = members.map(([name, member]) => pairsOf(name, member))
    return members.length <= MOST_MEMBERS && pairs.every((own) => own !== undefined)
      ? pairs.flat()
      : undefined
  },
  write: String,
  read: (text) => text,
  pairs: (value) => (isPairs(value) ? value : []),
}

/** The one open door: parameters that the service does not document, named by the client. */
export const openParams: Param = query('', flat)
