import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Caller, RequestHeaders } from '../clients/caller.ts'
import type { During } from '../clients/line.ts'
import type { Signal } from '../signal.ts'
import type { Source } from '../upstream/served.ts'
import { dataOf, endOf, etagOf, isJson, sendable } from './body.ts'
import { creditReport, type Execution, type ExecutionParts, type Executions } from './execution.ts'
import type { Finished, FinishedAnswers } from './finished.ts'
import { audienceOf, freshnessHeaders, inSeconds } from './freshness.ts'
import { type Params, paramsOf } from './params.ts'
import { createRuns } from './runs.ts'
import { WISHES } from './wish.ts'

/** A POST with JSON in it, read whole. */
export interface Posted {
  readonly headers: RequestHeaders & Iterable<[string, string]>
  readonly body: string
  /** Tells that the client has left. */
  readonly signal?: Signal | undefined
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A text where it is short. */
  readonly body: Buffer | string
}

/** An operation that has run, for the one that is to tell of its errors. */
export interface Executed {
  readonly execution: Execution
  readonly result: ExecutionResult
}

/** The long way: takes anything, and knows how to refuse it. */
export type LongWay = (posted: Posted, executed?: Executed) => Promise<Reply>

export interface FaceParts extends Pick<ExecutionParts, 'upstream' | 'budgets' | 'follow'> {
  readonly executions: Executions
  readonly during: During
  readonly schema: GraphQLSchema
  readonly finished: FinishedAnswers
  readonly longWay: LongWay
  /** Who asks; undefined for nobody that is known, or not yet. */
  callerOf(headers: RequestHeaders): Caller | undefined
  /** The document that is asked for, where whoever asks is answered it; undefined is not yet a refusal. */
  textOf(params: Params, headers: RequestHeaders): string | undefined
  /** The document of a text that was found valid before. */
  documentOf(text: string): DocumentNode | undefined
  /** Whether a document is closed to whoever asks. */
  isClosed(document: DocumentNode, headers: RequestHeaders): boolean
}

/** Request headers that decide how an answer is dressed, and those that decide what is in it. */
const DRESSING = ['accept', 'origin']
/** What is told beside an answer that is kept: with a price or without, it is the same. */
const PRICING = 'x-credits-plan'
const WISHING = WISHES.filter((name) => name !== PRICING)
/** Whether these decide a header, whatever the answer is. */
const isDress = (name: string): boolean =>
  name === 'content-type' || name.startsWith('access-control-')
/** Not in any header: an empty one is another than none. */
const ABSENT = '\0'
const HELD: ReadonlySet<Source> = new Set(['cache'])
const MOST_DRESSES = 1000

const written = (headers: RequestHeaders, names: readonly string[]): string => {
  let text = ''
  for (const name of names) text += `${headers.get(name) ?? ABSENT}\n`
  return text
}

/**
 * The short way for operations that were asked before: no document is parsed or validated twice, and an answer whose
 * parts are all held is not made twice. Whatever is out of the ordinary goes the long way, errors among it; how an
 * answer is dressed for a client (its type, what other sites may see) is taken from what the long way said before.
 */
export const createFace = ({
  upstream,
  budgets,
  follow,
  executions,
  during,
  schema,
  finished,
  longWay,
  callerOf,
  textOf,
  documentOf,
  isClosed,
}: FaceParts) => {
  const run = createRuns(schema)
  const dresses = new LRUCache<string, Reply['headers']>({ max: MOST_DRESSES })

  const theLongWay = async (posted: Posted, executed?: Executed): Promise<Reply> => {
    const reply = await longWay(posted, executed)
    const dress = Object.entries(reply.headers).filter(([name]) => isDress(name))
    if (reply.status === 200 && isJson(reply.headers['content-type']))
      dresses.set(written(posted.headers, DRESSING), Object.fromEntries(dress))
    return reply
  }

  const endFor = (kept: Finished, own: Caller['budgets'], isPriced: boolean): string => {
    const isPlain = own.length === 0 && budgets.length === 0 && !isPriced
    if (isPlain && kept.end !== undefined) return kept.end
    const end = endOf({
      ...(kept.report !== 'off' && {
        credits: creditReport(kept.figures, [...own, ...budgets], kept),
      }),
      ...(isPriced && { creditPlan: kept.plan }),
    })
    if (isPlain) kept.end = end
    return end
  }

  const headersFor = (kept: Finished, dress: Reply['headers'], client: Caller['client']) => {
    const now = upstream.clock.now()
    const served = { oldest: now - kept.at, remaining: kept.freshUntil - now, sources: HELD }
    const age = inSeconds(served.oldest)
    const life = inSeconds(served.remaining)
    const { told } = kept
    if (told?.age === age && told.life === life && told.dress === dress) return told.headers
    const own = freshnessHeaders(served, true, audienceOf(client))
    const headers = { etag: kept.etag, ...dress, ...own }
    kept.told = { headers, dress, age, life }
    return headers
  }

  const again = (
    headers: RequestHeaders,
    dress: Reply['headers'],
    kept: Finished,
    { client, budgets: own }: Caller,
    isPriced: boolean,
  ): Reply => {
    follow?.({ labels: kept.labels, headers, ledger: kept.figures, sources: HELD })(true)
    for (const movement of kept.movements) upstream.book.note(movement)
    return {
      status: 200,
      headers: headersFor(kept, dress, client),
      body: kept.body.endingIn(endFor(kept, own, isPriced)),
    }
  }

  /** What is needed to run an operation here; undefined for one that goes the long way. */
  const ready = (posted: Posted) => {
    const { headers, body } = posted
    const params = paramsOf(body)
    if (params === undefined) return undefined
    const { operationName, variables } = params
    const text = textOf(params, headers)
    const document = text === undefined ? undefined : documentOf(text)
    if (document === undefined || isClosed(document, headers)) return undefined
    try {
      const execution = executions({
        document,
        operationName,
        variables,
        headers,
        signal: posted.signal,
      })
      return execution && { execution, sent: variables }
    } catch {
      // Nothing was asked for yet: it fails again on the long way, which knows what to say.
      return undefined
    }
  }

  const once = (posted: Posted, key: string, dress: Reply['headers']): Reply | Promise<Reply> => {
    const own = ready(posted)
    if (own === undefined) return theLongWay(posted)
    const { execution, sent } = own
    const tell = (result: ExecutionResult): Reply | Promise<Reply> => {
      if (result.errors !== undefined && result.errors.length > 0)
        return theLongWay(posted, { execution, result })
      const { headers, extensions } = execution.finish(true)
      const end = endOf(extensions)
      const beginning = dataOf(result.data)
      const etag = etagOf(beginning)
      finished.put(key, { beginning, end, etag }, execution)
      return {
        status: 200,
        headers: { etag, ...dress, ...headers },
        body: sendable(beginning + end),
      }
    }
    const result = during(execution.context.operation, () => run(execution, sent))
    return result instanceof Promise ? result.then(tell) : tell(result)
  }

  return (posted: Posted): Reply | Promise<Reply> => {
    const dressing = written(posted.headers, DRESSING)
    const dress = dresses.get(dressing)
    const wished = posted.headers.get(PRICING)
    if (dress === undefined || (wished !== null && wished !== 'report')) return theLongWay(posted)
    const caller = callerOf(posted.headers)
    if (caller === undefined) return theLongWay(posted)
    const isPriced = wished !== null
    if (isPriced && !caller.client.reports) return theLongWay(posted)
    // What a client may ask is in its mark: no answer is another's, or that of its earlier rights.
    const key = `${caller.mark}\n${caller.isRouter}\n${dressing}${written(posted.headers, WISHING)}\n${posted.body}`
    const kept = finished.get(key)
    if (kept !== undefined) return again(posted.headers, dress, kept, caller, isPriced)
    return isPriced ? theLongWay(posted) : once(posted, key, dress)
  }
}
