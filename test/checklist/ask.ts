import { expect } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'

/** One request as it was seen: path, sorted query as text, and the rest. */
export interface Sent extends Seen {
  readonly pairs: readonly string[]
}

/** Asks a fresh gateway one operation in front of an upstream that answers as `reply` says. */
export const ask = async (
  text: string,
  reply: (seen: Seen, count: number) => Scripted = () => ({ body: { obj: null } }),
  variables: Record<string, unknown> = {},
) => {
  const run = await openScripted(reply)
  const result = await run.query(text, variables)
  await run.close()
  const sent: Sent[] = run.upstream.requests.map((seen) => ({
    ...seen,
    pairs: seen.query.map(([name, value]) => `${name}=${value}`).sort(),
  }))
  return {
    ...result,
    sent,
    tokens: run.upstream.tokens,
    codes: result.errors.map(({ extensions }) => extensions.code),
  }
}

/** An upstream that gives one body to whatever is asked. */
export const giving = (body: unknown) => () => ({ body })
/** An upstream that gives one object, or rows, under `obj`. */
export const obj = (value: unknown) => giving({ obj: value })
/** An upstream that gives a chart of these rows. */
export const chartOf = (...rows: unknown[]) => obj({ length: rows.length, data: rows })

/** Asks what must be refused before anything is sent; gives the error. */
export const refusal = async (text: string) => {
  const { codes, sent, errors } = await ask(text)
  expect(sent, text).toHaveLength(0)
  expect(codes, text).toEqual(['BAD_USER_INPUT'])
  return errors[0]
}

/** The query of the first request that an operation leads to, sorted. */
export const pairsOf = async (text: string, variables: Record<string, unknown> = {}) =>
  (await ask(text, undefined, variables)).sent[0]?.pairs
