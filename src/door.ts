import { createYoga } from 'graphql-yoga'
import { createCallers, type RequestHeaders, type Tokens } from './clients/caller.ts'
import { ANONYMOUS, STRANGERS } from './clients/client.ts'
import type { During } from './clients/line.ts'
import type { Register } from './clients/register.ts'
import type { Roll } from './clients/roll.ts'
import type { Config } from './config.ts'
import type { Budget } from './credits/budget.ts'
import { createExecutions, type Follow } from './execution/execution.ts'
import { createFace, type Executed, type Posted, type Reply } from './execution/face.ts'
import { createFinished } from './execution/finished.ts'
import type { Log } from './log.ts'
import { createPlans } from './plan/plan.ts'
import { useAccept } from './plugins/accept.ts'
import { MOST_BODY_BYTES, useBounds } from './plugins/bounds.ts'
import { unknownClient, useClients } from './plugins/clients.ts'
import { type Carried, useCredits } from './plugins/credits.ts'
import { useDocuments } from './plugins/documents.ts'
import { maskError, useErrorCodes } from './plugins/errors.ts'
import { useForm } from './plugins/form.ts'
import { useClosedSchema } from './plugins/introspection.ts'
import type { Library } from './plugins/library.ts'
import { useOperation } from './plugins/operation.ts'
import { createParsed } from './plugins/parsed.ts'
import { useRefusals } from './plugins/refusals.ts'
import { useRequestId } from './plugins/request-id.ts'
import { createRouter, useRouter } from './plugins/router.ts'
import { useStatus } from './plugins/status.ts'
import { createTrust } from './plugins/trust.ts'
import { useValidator } from './plugins/validator.ts'
import { createSubgraph } from './schema/subgraph.ts'
import type { Upstream } from './upstream/client.ts'

/** Headers that whoever sends an answer says of it: how it travels, how long it is, and what it varies by. */
const OF_THE_SENDER = ['connection', 'transfer-encoding', 'content-length', 'vary']
/** What scripts of other sites may read of an answer beside its body. */
const EXPOSED = ['Age', 'Cache-Status', 'ETag', 'Retry-After', 'X-Request-Id']

export interface DoorParts {
  readonly upstream: Upstream
  readonly budgets: readonly Budget[]
  readonly log: Log
  readonly follow?: Follow | undefined
  readonly roll: Roll
  /** Documents that replicas know together, where there are several. */
  readonly library?: Library | undefined
  readonly tokens?: Tokens | undefined
  readonly register: Register
  readonly during: During
  /** Bytes of finished answers, and of what operations were found to need. */
  readonly finishedBytes: number
  readonly draftBytes: number
}

/** What clients come in by: GraphQL over an upstream, by the way that takes anything and by the short one. */
export const createDoor = (config: Config, parts: DoorParts) => {
  const { upstream, budgets, log, follow, roll, tokens, during } = parts
  const schema = createSubgraph(config)
  const router = createRouter(config.federationSecret)
  const callers = createCallers({
    roll,
    tokens,
    isOpen: config.clientsFile === undefined && tokens === undefined,
    isRouter: router.sent,
  })
  const callerOf = (headers: RequestHeaders) => {
    const caller = callers.of(headers)
    if (caller === undefined) throw unknownClient()
    return caller
  }
  const boundOf = (headers: RequestHeaders) => {
    const { client, isRouter } = callerOf(headers)
    if (isRouter) return { documentsOnly: false }
    return config.documentsOnly ? { ...client, documentsOnly: true } : client
  }
  const trusted = config.documentsFile?.byHash ?? new Map()
  const trust = createTrust(trusted, boundOf, parts.library)
  const executions = createExecutions({
    upstream,
    plans: createPlans(schema, upstream, parts.draftBytes),
    budgets,
    follow,
    ...config,
    callerOf,
  })
  const isAllowed = (origin: string | undefined) =>
    origin !== undefined && config.corsOrigins.includes(origin)
  const parsed = createParsed()
  const yoga = createYoga<Carried>({
    schema,
    plugins: [
      useAccept(),
      useClients(callers),
      useForm(),
      useDocuments(trust),
      useBounds(),
      useOperation(),
      ...(config.introspection ? [] : [useClosedSchema()]),
      useRouter(router),
      useCredits(executions, parsed, during),
      useErrorCodes(),
      useRefusals(callers, parts.register),
      useRequestId(log),
      useStatus(),
      useValidator(),
    ],
    maskedErrors: { maskError },
    maxRequestBodySize: MOST_BODY_BYTES,
    multipart: false,
    parserAndValidationCache: parsed,
    extraParamNames: ['documentId'],
    graphiql: false,
    landingPage: false,
    // To any other origin nothing is said: the word for "none" is what sandboxed frames are called.
    cors: ({ headers }: Request) =>
      isAllowed(headers.get('origin') ?? undefined)
        ? { origin: [...config.corsOrigins], exposedHeaders: EXPOSED }
        : false,
    logging: log,
  })

  const ask = async (
    url: string,
    { headers, signal }: Omit<Posted, 'body'>,
    sent: { readonly method: string; readonly body?: string },
    executed?: Executed,
  ): Promise<Reply> => {
    const left = new AbortController()
    signal?.addEventListener('abort', () => left.abort())
    const own = { ...sent, headers: Object.fromEntries(headers), signal: left.signal }
    const response = await yoga.fetch(`http://gateway${url}`, own, { executed })
    const told = Object.fromEntries(
      [...response.headers]
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => !OF_THE_SENDER.includes(name)),
    )
    return {
      status: response.status,
      headers: told,
      body: Buffer.from(await response.arrayBuffer()),
    }
  }
  const finished = createFinished(upstream, parts.finishedBytes)
  const answer = createFace({
    upstream,
    budgets,
    follow,
    executions,
    during,
    schema,
    finished,
    longWay: (posted, executed) =>
      ask('/graphql', posted, { method: 'POST', body: posted.body }, executed),
    callerOf: callers.of,
    textOf: trust.find,
    documentOf: parsed.validOf,
    isClosed: router.isClosed,
  })
  return {
    yoga,
    answer,
    /** Answers a GET; `url` is its path and query. */
    get: (url: string, asked: Omit<Posted, 'body'>) => ask(url, asked, { method: 'GET' }),
    finished,
    /** Whether pages of an origin may ask, and read what is answered. */
    isAllowed,
    /** In whose line a request waits; undefined where nobody has to say who asks. All who are turned away are one. */
    nameOf(headers: RequestHeaders): string | undefined {
      const name = callers.of(headers)?.client.name ?? STRANGERS
      return name === ANONYMOUS ? undefined : name
    },
  }
}
