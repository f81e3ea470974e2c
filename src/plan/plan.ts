import { hash } from 'node:crypto'
import { type GraphQLSchema, Kind, print, visit } from 'graphql'
import { LRUCache } from 'lru-cache'
import { memo } from '../memo.ts'
import type { Query } from '../schema/query.ts'
import { variablesOf } from '../schema/variables.ts'
import type { HeldState, Upstream } from '../upstream/client.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Request } from '../upstream/request.ts'
import { type CertainCall, type Draft, type Joined, NO_PAGES } from './draft.ts'
import { type Kept, type Needs, weightOf } from './kept.ts'
import { createLessons } from './lesson.ts'
import { type CreditPlan, price, unspent } from './price.ts'
import { walk } from './walk.ts'

/** What is known of an operation before it runs. */
export interface Planned {
  readonly draft: Draft
  /** As the schema reads them. */
  readonly variables: Record<string, unknown>
  /** The price as things stand now; `limit` is what it may spend. */
  price(caller: Operation, limit: number): CreditPlan
  /** Takes in what a run was served, so that the next price is nearer. */
  learn(caller: Operation): void
}

/** What a plan asks about answers that are held. */
export type Held = Pick<Upstream, 'state' | 'has' | 'refuses' | 'gives' | 'tells'>

const COSTLY: ReadonlySet<HeldState> = new Set(['miss', 'pending'])

/** Variables as a client sent them. */
type Given = Readonly<Record<string, unknown>>

/** The operation without the values in it: what stays the same from one use to the next. */
const signatureOf = ({ document, name }: Query): string => {
  const blank = { kind: Kind.NULL } as const
  const stripped = visit(document, {
    IntValue: () => blank,
    FloatValue: () => blank,
    StringValue: () => blank,
    ListValue: () => blank,
    ObjectValue: () => blank,
  })
  return hash('sha256', `${name} ${print(stripped)}`, 'base64url')
}

const countsOf = (requests: readonly Request[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { endpoint } of requests)
    counts.set(endpoint.name, (counts.get(endpoint.name) ?? 0) + 1)
  return counts
}

/** Plans operations of a schema: drafts that runs tell more of are kept by document and variables, prices are made anew from what is held. */
export const createPlans = (schema: GraphQLSchema, upstream: Held, maxBytes: number) => {
  const lessons = createLessons()
  const signed = memo(signatureOf)
  let queries = 0
  /** By what number its drafts are kept, and whether any are. */
  const filed = memo((_query: Query) => ({ number: queries++, isOpen: false }))
  const drafts = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: weightOf,
  })

  const drafted = ({ root, fragments }: Query, variableValues: Planned['variables']) => {
    const type = schema.getQueryType()
    return type ? walk(schema, type, root, { fragments, variableValues }) : undefined
  }

  /** Whether rows of other answers tell all that a record is asked for. */
  const isTold = ({ request: { args, endpoint }, columns }: CertainCall, caller: Operation) => {
    const { cmId } = args
    if (columns.length === 0 || (typeof cmId !== 'number' && typeof cmId !== 'string')) return false
    return columns.every((column) => upstream.tells(endpoint, cmId, column, caller))
  }

  const standing = (call: CertainCall, caller: Operation): HeldState => {
    const own = upstream.state(call.request, caller)
    if (own === 'hit' || own === 'refused') return own
    const { series, windows = [] } = call.instead ?? {}
    if (series && windows.some((window) => upstream.has(series.request(window), caller)))
      return 'hit'
    return isTold(call, caller) ? 'hit' : own
  }

  /** Whether nothing is held of what is joined, and nothing on its way. */
  const isMissing = ({ joins, calls }: Joined, caller: Operation): boolean => {
    const shared = joins.request(calls, upstream, caller)
    return shared !== undefined && upstream.state(shared, caller) === 'miss'
  }

  /** Those of some requests that cost an operation; undefined where one is refused, so that others may take its place. */
  const costly = (requests: readonly Request[], caller: Operation): Request[] | undefined => {
    const found: Request[] = []
    for (const request of requests) {
      if (COSTLY.has(upstream.state(request, caller))) found.push(request)
      else if (upstream.refuses(request, caller)) return undefined
    }
    return found
  }

  /** What the last run needed, as far as that costs an operation. */
  const neededBy = (caller: Operation, { certain, open }: Needs) => {
    const missing = costly(certain, caller)
    const others = costly(open, caller)
    if (missing === undefined || others === undefined) return undefined
    const all = [...missing, ...others]
    return {
      credits: all.reduce((sum, { endpoint }) => sum + endpoint.credits, 0),
      open: countsOf(others),
    }
  }

  const isAged = (caller: Operation, { certain, open }: Needs): boolean =>
    [certain, open].some((requests) =>
      requests.some((request) => upstream.state(request, caller) === 'stale'),
    )

  return (query: Query, variables: Given): Planned | undefined => {
    const read = variablesOf(schema, query.operation, variables)
    if (read === undefined) return undefined
    const file = filed(query)
    let written: string | undefined
    const key = () => {
      written ??= `${file.number} ${JSON.stringify(variables)}`
      return written
    }
    const known = file.isOpen ? drafts.get(key()) : undefined
    const draft = known?.draft ?? drafted(query, read)
    if (draft === undefined) return undefined

    return {
      draft,
      variables: read,
      price(caller, limit) {
        const plan = price(draft, {
          stateOf: (call) => standing(call, caller),
          isMissing: (joined) => isMissing(joined, caller),
          shareOf: (call) => lessons.of(signed(query), call),
          needed: known && neededBy(caller, known.needs),
          isAged: draft.mayJoin && known !== undefined && isAged(caller, known.needs),
          limit,
        })
        return caller.directives.onlyIfCached ? unspent(plan) : plan
      },
      learn({ served }) {
        // Of what is certain a run tells nothing new, and most drafts are of that alone and are made once.
        if (draft.open.length === 0) return
        const all = [...served.keys.values()]
        const certain = new Set(draft.certain.map(({ request }) => request.key))
        const open = all.filter(({ key }) => !certain.has(key))
        const needs = { certain: all.filter(({ key }) => certain.has(key)), open }
        file.isOpen = true
        const letters = query.document.loc?.source.body.length ?? 0
        // Its pages hold nodes of the document, which is bounded elsewhere: the next run finds its own.
        drafts.set(key(), { draft: { ...draft, pages: NO_PAGES }, needs, letters })
        lessons.learn(signed(query), draft, countsOf(open))
      },
    }
  }
}

export type Plans = ReturnType<typeof createPlans>
