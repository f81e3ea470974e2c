import { GatewayError } from '../errors.ts'
import { type Answer, type Answered, aliased, answer, type Standing, tellsOfNow } from './answer.ts'
import type { Reading } from './decode.ts'
import type { Endpoint } from './endpoint.ts'
import { isFinal, refused, rightKey } from './refusal.ts'
import { type Request, request as requestOf } from './request.ts'
import type { Disk, Head, Lore, Mark, Stored } from './stored.ts'
import type { WireAnswer } from './transport/send.ts'

/** The answers on a disk, found by what was asked and by the things that their rows tell of. */
export interface Archive {
  find<V>(request: Request<V>): Answer<V> | undefined
  /** The refusal of all requests that need the right of this one. */
  findRight<V>(request: Request<V>): Answer<V> | undefined
  /** How the answer stands that would be found; told without reading it. */
  stands(request: Request): Standing | undefined
  /** Answers that tell of a thing; where a column is named, that one. */
  about(of: string, id: number | string, column?: string): readonly Mark[]
  /** The answer at a mark. */
  recall(mark: Mark): Answer | undefined
  /** `teaches`: whether its rows are worth finding, because the answer can be held again. */
  keep<V>(bought: Answered<V>, wire: WireAnswer, teaches: boolean): void
  /** Keeps a refusal of the service's; `wire` is what it came in. */
  refuse(request: Request, refusal: Answer, wire: WireAnswer | undefined): void
}

const isTold = (value: unknown): boolean => value !== undefined && value !== null

/** Every endpoint by its name. */
export type Registry = Readonly<Record<string, Endpoint>>

/** What the rows of an answer tell of things, each thing once: the columns of its record that do not age. */
const loreOf = ({ endpoint, args, content }: Answer, registry: Registry): Lore[] => {
  const things = new Map<string, Set<string>>()
  const { value } = content
  const places = endpoint.teaching?.places(value) ?? 0
  for (let place = 0; place < places; place++)
    for (const [of, id, row] of endpoint.teaching?.at(value, place, args) ?? []) {
      const told = things.get(`${of}:${id}`) ?? new Set<string>()
      for (const column of registry[of]?.timeless ?? [])
        if (isTold(Reflect.get(row, column))) told.add(column)
      things.set(`${of}:${id}`, told)
    }
  return [...things].map(([thing, columns]) => ({ thing, columns: [...columns] }))
}

const NOT_FOUND = 404

/** An answer as it came, wherever it lies. */
export type Recorded = Pick<Stored, 'status' | 'at' | 'text'>

/** Reads again what came, and gives it as it is held; undefined where it cannot be read any more. */
export type Reread = <V>(request: Request<V>, recorded: Recorded) => Answer<V> | undefined

/** Reads again what came; a refusal is one again. */
export const read = <V>(
  request: Request<V>,
  { status, at, text }: Recorded,
  reading: Reading,
): Answer<V> | undefined => {
  try {
    return answer(request, { status, headers: {}, text }, at, reading)
  } catch (failure) {
    // What cannot be read any more is asked for anew, like what was never there.
    const isRefusal = status >= 400 && failure instanceof GatewayError
    return isRefusal ? refused(request, failure, at) : undefined
  }
}

const UNNOTED: Reading = { note: () => undefined }

/** Where a stored answer is found, and what its rows tell: undefined for one that this revision cannot read. */
export const markIn =
  (registry: Registry) =>
  (stored: Omit<Stored, 'key'>): (Omit<Head, 'status'> & { lore: Lore[] }) | undefined => {
    const endpoint = registry[stored.endpoint]
    if (endpoint === undefined) return undefined
    const request = requestOf(endpoint, stored.args)
    const found = read(request, stored, UNNOTED)
    if (found === undefined) return undefined
    const { key, at, freshUntil, usableUntil } = found
    return {
      key,
      at,
      freshUntil,
      usableUntil,
      lore: tellsOfNow(found) ? loreOf(found, registry) : [],
    }
  }

/** As late as a moment can be: an answer of such a life is held for good, and tells of now all the same. */
const FOR_GOOD = 8_640_000_000_000_000

export const createArchive = (
  disk: Disk,
  registry: Registry,
  now: () => number,
  reread: Reread,
): Archive => {
  const lasting = <S extends Standing>(standing: S): S => {
    if (!disk.isClosed) return standing
    const freshUntil = Math.max(FOR_GOOD, standing.freshUntil)
    return { ...standing, freshUntil, usableUntil: freshUntil }
  }
  const usable = <S extends Standing>(standing: S | undefined): S | undefined => {
    const lasts = standing && lasting(standing)
    return lasts && now() < lasts.usableUntil ? lasts : undefined
  }

  const under = <V>(key: string, request: Request<V>): Answer<V> | undefined => {
    const stored = disk.get(key)
    return stored && usable(reread(request, stored))
  }
  const find = <V>(request: Request<V>): Answer<V> | undefined => under(request.key, request)

  const put = <V>(
    { request, answer }: Answered<V>,
    { status, text }: WireAnswer,
    lore: Lore[],
  ): void => {
    const { endpoint, args } = request
    const { key, at } = answer
    disk.put({ key, endpoint: endpoint.name, args, at, status, text }, answer, lore)
  }

  return {
    find,
    findRight: (request) => under(rightKey(request), request),
    stands(request) {
      const head = disk.peek(request.key)
      if (head === undefined || head.status < 400) return usable(head)
      if (head.status === NOT_FOUND) return usable({ ...head, isNothing: true })
      return usable(read(request, { ...head, text: '' }, UNNOTED))
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
      return request.key === key ? find(request) : undefined
    },
    keep(bought, wire, teaches) {
      const right = rightKey(bought.request)
      if (right !== bought.request.key) disk.remove(right)
      put(bought, wire, teaches ? loreOf(bought.answer, registry) : [])
      const other = aliased(bought.answer)
      if (other !== undefined) put(other, wire, [])
    },
    refuse(request, refusal, wire) {
      const { refusal: error } = refusal
      if (error === undefined || (!disk.keepsAll && !isFinal(error))) return
      // A right that a new token did not give is told without an answer.
      const came = wire ?? { status: error.facts.status ?? 0, headers: {}, text: '' }
      if (came.status < 400) return
      put({ request, answer: refusal }, came, [])
    },
  }
}
