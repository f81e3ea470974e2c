import type { Request } from '../upstream/request.ts'

/** A request that is certain: what would be sent, and what would serve in its place if it were held. */
export interface CertainCall {
  readonly path: string
  /** Sent only where the entity that it hangs on turns out to exist. */
  readonly ifThere: boolean
  readonly request: Request
  readonly instead: readonly Request[]
  /** The columns that a record is asked for; rows of other answers may tell them. */
  readonly columns: readonly string[]
}

/** How many things there may be that only answers show. */
export interface Extent {
  readonly most: number
  /** How many are likely, before anything was seen. */
  readonly likely: number
  /** Answers that bring them: what comes with several cannot be asked about in one request. */
  readonly arrivals: number
  /** False where a list within a row is among them: nobody says how long those are, and `most` is a guess. */
  readonly isBounded: boolean
}

/** Requests whose number only answers tell. */
export interface OpenCall extends Pick<Extent, 'most' | 'likely' | 'isBounded'> {
  readonly path: string
  readonly endpoint: string
  readonly credits: number
  /** Needed only where a row does not tell what its kind tells. */
  readonly isSpare: boolean
}

/** What an operation needs, as far as it tells before it runs: the distinct requests, certain and possible. */
export interface Draft {
  readonly certain: readonly CertainCall[]
  readonly open: readonly OpenCall[]
  /** Rows and entities that the operation asks for, by its page sizes and lists of ids. */
  readonly nodes: number
  /** Entities that a router names. */
  readonly representations: number
}

interface JoiningCall {
  readonly path: string
  readonly ifThere: boolean
  readonly endpoint: Request['endpoint']
  /** The request for one alone, where it is certain. */
  readonly request: Request | undefined
  readonly instead: readonly Request[]
  readonly extent: Extent
}

/** The fewest that are joined. */
const FEWEST_JOINED = 2
/** Of those who are joined, how many are likely to be left wanting. */
const STARVED = 0.1

/** Collects a draft; a request that several fields need is in it once. */
export const createDraft = () => {
  const certain = new Map<string, CertainCall>()
  const open: OpenCall[] = []
  const joining: JoiningCall[] = []
  let nodes = 0
  let representations = 0

  /** One for all who come together, and one more for each whom that leaves wanting. */
  const mayJoin = ({ path, endpoint }: JoiningCall): void => {
    const all = joining.map(({ extent }) => extent)
    const most = all.reduce((sum, extent) => sum + extent.most, 0)
    const isBounded = all.every((extent) => extent.isBounded)
    const shared = { most: Math.floor(most / FEWEST_JOINED), likely: 1, isBounded }
    builder.maySend(path, endpoint, shared)
    for (const call of joining) {
      const likely = call.extent.likely * (most < FEWEST_JOINED ? 1 : STARVED)
      builder.maySend(call.path, call.endpoint, { ...call.extent, likely })
    }
  }

  const builder = {
    send(
      { path, ifThere }: Pick<CertainCall, 'path' | 'ifThere'>,
      request: Request,
      instead: readonly Request[] = [],
      columns: readonly string[] = [],
    ) {
      const known = certain.get(request.key) ?? { path, request, instead, ifThere, columns: [] }
      certain.set(request.key, {
        ...known,
        ifThere: known.ifThere && ifThere,
        columns: [...known.columns, ...columns],
      })
    },
    maySend(
      path: string,
      { name, credits }: Request['endpoint'],
      { most, likely, isBounded }: Omit<Extent, 'arrivals'>,
      isSpare = false,
    ) {
      if (most > 0) open.push({ path, endpoint: name, credits, most, likely, isBounded, isSpare })
    },
    /** A request that may be joined with others of its endpoint. */
    join(call: JoiningCall) {
      joining.push(call)
    },
    expect(count: number) {
      nodes += count
    },
    represent(count: number) {
      representations += count
    },
    finish(): Draft {
      const [only, ...others] = joining
      if (only?.request !== undefined && others.length === 0)
        builder.send(only, only.request, only.instead)
      else if (only !== undefined) mayJoin(only)
      return { certain: [...certain.values()], open, nodes, representations }
    },
  }
  return builder
}
