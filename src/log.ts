import { inspect } from 'node:util'
import { GatewayError } from './errors.ts'

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const LONGEST = 2000

/** Where a foreign text may hold a secret: in a header, or as a quoted member of that name. */
const CREDENTIAL = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi
const MEMBER =
  /(["']?\b(?:refresh_?token|access_?token|token|authorization|x-api-key)["']?\s*[:=]\s*)(["'])(?:(?!\2).)*(?:\2|$)/gi
/** A terminal obeys them, JSON leaves some of them as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g

const redacted = (text: string): string =>
  text.replace(CREDENTIAL, '$1 [secret]').replace(MEMBER, '$1$2[secret]$2').replace(CONTROL, ' ')

/** What a failure comes from: a refusal may stand in for a fault of ours. */
const originOf = (error: Error): Error => {
  const { originalError } = error as { originalError?: unknown }
  const refusal = originalError instanceof GatewayError ? originalError : error
  return refusal instanceof GatewayError && refusal.cause instanceof Error ? refusal.cause : error
}

const printed = (part: unknown): string => {
  const origin = part instanceof Error ? originOf(part) : undefined
  const text = origin?.stack ?? origin?.message ?? part
  return redacted((typeof text === 'string' ? text : inspect(text, { depth: 1 })).slice(0, LONGEST))
}

const isOfDocument = (error: unknown): boolean =>
  error instanceof Error && 'nodes' in error && error.nodes !== undefined

/** What the client is told of is no fault of ours: a refusal that stands for itself, or GraphQL's own complaint about what was sent. */
const isTold = (part: unknown): boolean => {
  if (!(part instanceof Error)) return false
  if (part instanceof GatewayError) return part.cause === undefined
  const { originalError, path } = part as { originalError?: unknown; path?: unknown }
  if (part.name !== 'GraphQLError' || originalError === undefined)
    return part.name === 'GraphQLError'
  if (originalError instanceof GatewayError) return isTold(originalError)
  // What has a path failed in a field: for how it was asked only where it names what stands there in the document.
  return (path === undefined || isOfDocument(originalError)) && isTold(originalError)
}

/** JSON lines from `level` on. */
export const createLog = (level: LogLevel, now: () => number, write: (line: string) => void) => {
  const at =
    (own: LogLevel) =>
    (...parts: unknown[]) => {
      if (parts.some(isTold) || LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level)) return
      write(
        `${JSON.stringify({ time: new Date(now()).toISOString(), level: own, message: parts.map(printed).join(' ') })}\n`,
      )
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

export type Log = ReturnType<typeof createLog>
