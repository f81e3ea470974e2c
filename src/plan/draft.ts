import type { Request } from '../upstream/request.ts'
import type { Joins, Series, Wanted } from '../upstream/series.ts'
import { type Extent, ONE } from './extent.ts'
import type { Instead } from './windows.ts'

/** A request that is certain: what would be sent, and what would serve in its place if it were held. */
export interface CertainCall {
  readonly path: string
  /** Sent only where the entity that it hangs on turns out to exist. */
  readonly ifThere: boolean
  readonly request: Request
  readonly instead: Instead | undefined
  /** The columns that a record is asked for; rows of other answers may tell them. */
  readonly columns: readonly string[]
}

/** Requests whose number only answers tell. */
export interface OpenCall extends Pick<Extent, 'most' | 'likely' | 'isBounded'> {
  readonly path: string
  readonly endpoint: string
  readonly credits: number
  /** Needed only where a row does not tell what its kind tells, or a request is refused for the time being. */
  readonly isSpare: boolean
}

/** What an operation needs, as far as it tells before it runs: the distinct requests, certain and possible. */
export interface Draft {
  readonly certain: readonly CertainCall[]
  /** The pages that its outermost fields ask for, by the first node of the field. */
  readonly pages: ReadonlyMap<object | undefined, Wanted>
  readonly open: readonly OpenCall[]
  readonly joined: Joined | undefined
  /** Whether some requests may be joined, so that their number depends on what is held. */
  readonly mayJoin: boolean
  /** Rows and entities that the operation asks for, by its page sizes and lists of ids. */
  readonly nodes: number
  /** Entities that a router names. */
  readonly representations: number
  /** Whether it asks what operations cost. */
  readonly tellsCosts: boolean
}

interface JoiningCall {
  readonly path: string
  readonly ifThere: boolean
  readonly endpoint: Request['endpoint']
  /** The request for one alone, where it is certain. */
  readonly request: Request | undefined
  readonly instead: Instead | undefined
  readonly extent: Extent
  readonly joins: Joins
  readonly series: Series
}

/** Requests of which one is certain, unless one is held for all of them. */
export interface Joined {
  readonly calls: readonly (CertainCall & Pick<JoiningCall, 'series'>)[]
  readonly joins: Joins
}

export const NO_PAGES: Draft['pages'] = new Map()

/** The fewest that are joined. */
const FEWEST_JOINED = 2
/** Of those who are joined, how many are likely to be left wanting. */
const STARVED = 0.1

/** Each once: one id may be asked for thousands of times. */
const together = (some: readonly string[], more: readonly string[]): readonly string[] =>
  more.every((column) => some.includes(column)) ? some : [...new Set([...some, ...more])]

/** Collects a draft; a request that several fields need is in it once. A class, since each cold operation has one. */
export class Drafting {
  readonly #certain = new Map<string, CertainCall>()
  readonly #open: OpenCall[] = []
  readonly #joining: JoiningCall[] = []
  #spare: Map<string, Pick<CertainCall, 'path' | 'request'>> | undefined = undefined
  #pages: Map<object | undefined, Wanted> | undefined = undefined
  #nodes = 0
  #representations = 0
  tellsCosts = false

  send(
    { path, ifThere }: Pick<CertainCall, 'path' | 'ifThere'>,
    request: Request,
    instead?: Instead,
    columns: readonly string[] = [],
  ): void {
    const known = this.#certain.get(request.key)
    const call =
      known === undefined
        ? { path, ifThere, request, instead, columns }
        : {
            ...known,
            ifThere: known.ifThere && ifThere,
            columns: together(known.columns, columns),
          }
    this.#certain.set(request.key, call)
  }

  maySend(
    path: string,
    { name, credits }: Request['endpoint'],
    { most, likely, isBounded }: Omit<Extent, 'arrivals'>,
    isSpare = false,
  ): void {
    if (most > 0)
      this.#open.push({ path, endpoint: name, credits, most, likely, isBounded, isSpare })
  }

  /** What was drafted of any record, of another one; `instead` may take the place of the request for that. */
  again({ certain, open }: Draft, request: Request, instead: Request | undefined): void {
    for (const { path, columns } of certain) {
      this.send({ path, ifThere: false }, request, undefined, columns)
      if (instead !== undefined) this.spare(path, instead)
    }
    for (const call of open) this.#open.push(call)
  }

  /** A request that may take the place of another. */
  spare(path: string, request: Request): void {
    this.#spare ??= new Map()
    this.#spare.set(request.key, { path, request })
  }

  /** A page that one field asks for, whatever object that is a field of. */
  page(node: object | undefined, wanted: Wanted): void {
    this.#pages ??= new Map()
    this.#pages.set(node, wanted)
  }

  /** A request that may be joined with others of its endpoint. */
  join(call: JoiningCall): void {
    const { key } = call.request ?? {}
    const same = this.#joining.findIndex(({ request }) => key !== undefined && request?.key === key)
    const known = this.#joining[same]
    if (known === undefined) this.#joining.push(call)
    else this.#joining[same] = { ...known, ifThere: known.ifThere && call.ifThere }
  }

  expect(count: number): void {
    this.#nodes += count
  }

  represent(count: number): void {
    this.#representations += count
  }

  finish(): Draft {
    const [only, ...others] = this.#joining
    if (only?.request !== undefined && others.length === 0)
      this.send(only, only.request, only.instead)
    else if (only !== undefined) this.#mayJoin(only)
    for (const [key, { path, request }] of this.#spare ?? [])
      if (!this.#certain.has(key)) this.maySend(path, request.endpoint, ONE, true)
    return {
      certain: [...this.#certain.values()],
      pages: this.#pages ?? NO_PAGES,
      open: this.#open,
      joined: this.#joined(),
      mayJoin: others.length > 0 || (only !== undefined && only.request === undefined),
      nodes: this.#nodes,
      representations: this.#representations,
      tellsCosts: this.tellsCosts,
    }
  }

  /** Where all of them are certain to come together. */
  #joined(): Joined | undefined {
    const [first] = this.#joining
    const calls = this.#joining.flatMap(({ path, ifThere, request, instead, series }) =>
      request === undefined || ifThere
        ? []
        : [{ path, ifThere, request, instead, series, columns: [] }],
    )
    if (first === undefined || calls.length < this.#joining.length) return undefined
    return { calls, joins: first.joins }
  }

  /** One for all who come together, and one more for each whom that leaves wanting. */
  #mayJoin({ path, endpoint }: JoiningCall): void {
    const joining = this.#joining
    const most = joining.reduce((sum, { extent }) => sum + extent.most, 0)
    const isBounded = joining.every(({ extent }) => extent.isBounded)
    this.maySend(path, endpoint, { most: Math.floor(most / FEWEST_JOINED), likely: 1, isBounded })
    for (const call of joining) {
      const likely = call.extent.likely * (most < FEWEST_JOINED ? 1 : STARVED)
      this.maySend(call.path, call.endpoint, { ...call.extent, likely })
    }
  }
}
