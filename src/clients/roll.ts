import { counted } from '../count.ts'
import type { Budget } from '../credits/budget.ts'
import type { Period } from '../credits/period.ts'
import { type Client, digestOf, type Entry, markOf } from './client.ts'

/** A client with what is kept for it; the same object as long as the file says the same of it. */
export interface Member {
  readonly client: Client
  readonly mark: string
  /** Of its own, beside those of the deployment. */
  readonly budgets: readonly Budget[]
}

export interface RollParts {
  /** Reads a file of clients; throws what is wrong. */
  read(text: string): readonly Entry[]
  budgetOf(period: Period, limit: number, client: string): Budget
  readonly say: { info(text: string): void; warn(text: string): void }
}

type Listing = ReadonlyMap<string, Member>

/** The clients that are known, as the file last had them: a file that cannot be read changes nothing. */
export const createRoll = (first: readonly Entry[], { read, budgetOf, say }: RollParts) => {
  let byName: Listing = new Map()
  let byDigest: Listing = new Map()
  let last: string | undefined

  const budgetsOf = ({ name, creditsPerDay, creditsPerMonth }: Client, old?: Member): Budget[] => {
    const own = (period: Period, limit: number | undefined) => {
      if (limit === undefined) return []
      const same = old?.budgets.find((one) => one.period === period && one.limit === limit)
      return [same ?? budgetOf(period, limit, name)]
    }
    return [...own('DAY', creditsPerDay), ...own('MONTH', creditsPerMonth)]
  }

  const memberOf = (client: Client): Member => {
    const old = byName.get(client.name)
    const mark = markOf(client)
    return old?.mark === mark ? old : { client, mark, budgets: budgetsOf(client, old) }
  }

  const listed = (entries: readonly Entry[]): readonly [Listing, Listing] => {
    const names = new Map<string, Member>()
    const digests = new Map<string, Member>()
    for (const { client, keyHash } of entries) {
      const member = names.get(client.name) ?? memberOf(client)
      names.set(client.name, member)
      if (keyHash !== undefined) digests.set(keyHash, member)
    }
    return [names, digests]
  }

  const budgetsIn = (names: Listing): Budget[] =>
    [...names.values()].flatMap(({ budgets }) => budgets)

  const take = async (entries: readonly Entry[]): Promise<void> => {
    const [names, digests] = listed(entries)
    const before = new Set(budgetsIn(byName))
    const after = new Set(budgetsIn(names))
    const fresh = [...after].filter((budget) => !before.has(budget))
    const looks = await Promise.allSettled(fresh.map((budget) => budget.open()))
    if (looks.some(({ status }) => status === 'rejected'))
      say.warn('CLIENTS_FILE: what its clients have spent is read with their next request')
    ;[byName, byDigest] = [names, digests]
    for (const budget of before) if (!after.has(budget)) await budget.close()
  }

  ;[byName, byDigest] = listed(first)

  return {
    /**
     * Whose key this is. What is looked up is a digest that nobody can steer towards another, so that the time which it
     * takes tells nothing of any key.
     */
    ofKey: (key: string): Member | undefined => byDigest.get(digestOf(key)),
    named: (name: string): Member | undefined => byName.get(name),
    /** Budgets of all clients. */
    get budgets() {
      return budgetsIn(byName)
    },
    async open(): Promise<void> {
      for (const budget of budgetsIn(byName)) await budget.open()
    },
    /** Takes over what a file has come to say, unless it is no file of clients. */
    async reread(text: string): Promise<void> {
      if (text === last) return
      last = text
      try {
        await take(read(text))
        say.info(`CLIENTS_FILE: read, ${counted(byName.size, 'client')}`)
      } catch (failure) {
        const why = failure instanceof Error ? failure.message : 'no reason given'
        say.warn(`CLIENTS_FILE: what was read before still holds, for now it has ${why}`)
      }
    },
    async close(): Promise<void> {
      for (const budget of budgetsIn(byName)) await budget.close()
    },
  }
}

export type Roll = ReturnType<typeof createRoll>
