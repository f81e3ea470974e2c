import { type Answer, type Answered, aliased, answer, type Standing, standingOf } from './answer.ts'
import type { Disk, Lore, Mark } from './disk.ts'
import type { Drift } from './drift.ts'
import type { Endpoint } from './endpoint.ts'
import { type Request, request as requestOf } from './request.ts'

/** The answers on a disk, found by what was asked and by the things that their rows tell of. */
export interface Archive {
  find<V>(request: Request<V>): Answer<V> | undefined
  /** How the answer stands that would be found; told without reading it. */
  stands(request: Request): Standing | undefined
  /** Answers that tell of a thing; where a column is named, that one. */
  about(of: string, id: number | string, column?: string): readonly Mark[]
  /** The answer at a mark. */
  recall(mark: Mark): Answered | undefined
  /** `teaches`: whether its rows are worth finding, because the answer can be held again. */
  keep<V>(bought: Answered<V>, text: string, teaches: boolean): void
}

const isTold = (value: unknown): boolean => value !== undefined && value !== null

/** Every endpoint by its name. */
export type Registry = Readonly<Record<string, Endpoint>>

/** What the rows of an answer tell of things, each thing once: the columns of its record that do not age. */
const loreOf = (
  { request: { endpoint, args }, answer: { value } }: Answered,
  registry: Registry,
): Lore[] => {
  const things = new Map<string, Set<string>>()
  for (const [of, id, row] of endpoint.teaches(value, args)) {
    const told = things.get(`${of}:${id}`) ?? new Set<string>()
    for (const column of registry[of]?.timeless ?? [])
      if (isTold(Reflect.get(row, column))) told.add(column)
    things.set(`${of}:${id}`, told)
  }
  return [...things].map(([thing, columns]) => ({ thing, columns: [...columns] }))
}

export const createArchive = (
  disk: Disk,
  registry: Registry,
  now: () => number,
  drift: Drift,
): Archive => {
  const find = <V>(request: Request<V>): Answer<V> | undefined => {
    const stored = disk.get(request.key)
    if (stored === undefined) return undefined
    try {
      const wire = { status: 200, headers: {}, text: stored.text }
      const found = answer(request, wire, stored.at, drift.reading(request.endpoint.name))
      return now() < found.usableUntil ? found : undefined
    } catch {
      // What cannot be read any more is asked for anew, like what was never there.
      return undefined
    }
  }

  const put = <V>({ request, answer }: Answered<V>, text: string, lore: Lore[]): void => {
    const { endpoint, key, args } = request
    disk.put({ key, endpoint: endpoint.name, args, at: answer.at, text }, answer.freshUntil, lore)
  }

  return {
    find,
    stands(request) {
      const at = disk.peek(request.key)
      const standing = at === undefined ? undefined : standingOf(request, at)
      return standing && now() < standing.usableUntil ? standing : undefined
    },
    about: (of, id, column) =>
      disk
        .about(`${of}:${id}`)
        .filter(({ columns }) => column === undefined || columns.includes(column)),
    recall({ key }) {
      const stored = disk.get(key)
      const endpoint = registry[stored?.endpoint ?? '']
      if (stored === undefined || endpoint === undefined) return undefined
      const request = requestOf(endpoint, stored.args)
      const found = request.key === key ? find(request) : undefined
      return found && { request, answer: found }
    },
    keep(bought, text, teaches) {
      if (bought.answer.class === 'negative') return disk.remove(bought.request.key)
      put(bought, text, teaches ? loreOf(bought, registry) : [])
      const other = aliased(bought)
      if (other !== undefined) put(other, text, [])
    },
  }
}
