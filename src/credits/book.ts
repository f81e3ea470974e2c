import { SAVINGS, type Saving } from './ledger.ts'

/** One movement of credits, with what it was for. */
export interface Movement {
  readonly credits: number
  /** Why they were not spent; undefined where they were. */
  readonly saving?: Saving | undefined
  readonly endpoint: string
  /** The field that asked; undefined where none did. */
  readonly field?: string | undefined
  /** Name of the operation; undefined where no operation spent it. */
  readonly operation?: string | undefined
  readonly client?: string | undefined
}

export interface Use {
  readonly name: string
  readonly spent: number
  readonly saved: number
}

/** What a process spent and saved since it began. */
export interface Book {
  note(movement: Movement): void
  readonly since: number
  readonly spent: number
  readonly backgroundSpent: number
  readonly savedBy: Readonly<Record<Saving, number>>
  /** Greatest spender first. */
  readonly byEndpoint: readonly Use[]
  readonly byOperation: readonly Use[]
  readonly byField: readonly Use[]
  readonly byClient: readonly Use[]
  /** Credits spent in the last hour. */
  readonly perHour: number
  /** Minutes of the last day in which something was spent or saved, the oldest first. */
  readonly overTime: readonly Minute[]
}

/** What was spent and saved in the minute that begins at a moment. */
export interface Minute {
  readonly minute: number
  readonly spent: number
  readonly saved: number
}

/** The greatest spender stands first. */
export const greatestFirst = (a: Use, b: Use): number =>
  b.spent - a.spent || b.saved - a.saved || (a.name < b.name ? -1 : 1)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Names come from clients: past this many, the rest is one line. */
const MOST_NAMES = 500
const LONGEST_NAME = 100

/** Credits of these minutes that were spent in the hour before a moment. */
export const hourOf = (minutes: Iterable<Minute>, now: number): number => {
  const first = Math.floor(now / MINUTE) * MINUTE - HOUR
  let sum = 0
  for (const { minute, spent } of minutes) if (minute > first) sum += spent
  return sum
}

const createUses = () => {
  const uses = new Map<string, { spent: number; saved: number }>()
  const open = (name: string) => {
    const known = uses.has(name) || uses.size < MOST_NAMES ? name : 'others'
    const use = uses.get(known) ?? { spent: 0, saved: 0 }
    uses.set(known, use)
    return use
  }
  return {
    add(given: string, spent: number, saved: number) {
      const use = uses.get(given) ?? open(given.slice(0, LONGEST_NAME))
      use.spent += spent
      use.saved += saved
    },
    list: (): Use[] =>
      [...uses]
        .filter(([, { spent, saved }]) => spent !== 0 || saved !== 0)
        .map(([name, use]) => ({ name, ...use }))
        .sort(greatestFirst),
  }
}

/** An empty book; `now` is in milliseconds. */
export const createBook = (now: () => number): Book => {
  const since = now()
  const byEndpoint = createUses()
  const byOperation = createUses()
  const byField = createUses()
  const byClient = createUses()
  const savedBy = Object.fromEntries(SAVINGS.map((saving) => [saving, 0])) as Record<Saving, number>
  const minutes = new Map<number, { minute: number; spent: number; saved: number }>()
  let spent = 0
  let backgroundSpent = 0

  const begin = (minute: number) => {
    const begun = { minute, spent: 0, saved: 0 }
    for (const old of minutes.keys()) {
      if (old > minute - DAY) break
      minutes.delete(old)
    }
    minutes.set(minute, begun)
    return begun
  }

  const pace = (out: number, kept: number): void => {
    const minute = Math.floor(now() / MINUTE) * MINUTE
    const entry = minutes.get(minute) ?? begin(minute)
    entry.spent += out
    entry.saved += kept
  }

  return {
    since,
    savedBy,
    note({ credits, saving, endpoint, field, operation, client }) {
      const out = saving === undefined ? credits : 0
      const kept = credits - out
      if (saving === undefined) {
        spent += credits
        if (operation === undefined) backgroundSpent += credits
      } else {
        savedBy[saving] += credits
      }
      pace(out, kept)
      byEndpoint.add(endpoint, out, kept)
      if (field !== undefined) byField.add(field, out, kept)
      if (operation !== undefined) byOperation.add(operation, out, kept)
      if (client !== undefined) byClient.add(client, out, kept)
    },
    get spent() {
      return spent
    },
    get backgroundSpent() {
      return backgroundSpent
    },
    get byEndpoint() {
      return byEndpoint.list()
    },
    get byField() {
      return byField.list()
    },
    get byOperation() {
      return byOperation.list()
    },
    get byClient() {
      return byClient.list()
    },
    get perHour() {
      return hourOf(minutes.values(), now())
    },
    get overTime() {
      const first = now() - DAY
      return [...minutes.values()]
        .filter(
          ({ minute, spent: out, saved: kept }) => minute > first && (out !== 0 || kept !== 0),
        )
        .map((entry) => ({ ...entry }))
    },
  }
}
