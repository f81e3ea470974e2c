import { inspect } from 'node:util'
import { GatewayError } from './errors.ts'

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const LONGEST = 2000

const printed = (part: unknown): string =>
  (part instanceof Error
    ? (part.stack ?? part.message)
    : typeof part === 'string'
      ? part
      : inspect(part, { depth: 1 })
  ).slice(0, LONGEST)

/** JSON lines from `level` on. Failures that the client is told of are not logged: they are no faults of ours. */
export const createLog = (level: LogLevel, now: () => number, write: (line: string) => void) => {
  const at =
    (own: LogLevel) =>
    (...parts: unknown[]) => {
      const known = parts.some(
        (part) =>
          part instanceof Error &&
          ((part as { originalError?: unknown }).originalError ?? part) instanceof GatewayError,
      )
      if (known || LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level)) return
      write(
        `${JSON.stringify({ time: new Date(now()).toISOString(), level: own, message: parts.map(printed).join(' ') })}\n`,
      )
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
