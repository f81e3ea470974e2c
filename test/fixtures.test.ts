import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ask, handClock } from './credits/ask.ts'
import { openGateway } from './support/gateway.ts'
import { openScript, type Seen } from './support/script.ts'

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body?: unknown
  readonly bodyText?: string
}
interface Step {
  readonly request: { readonly path: string }
  readonly response: Answer
}
interface Case {
  readonly name: string
  readonly expect: string
  readonly response?: Answer
  readonly request?: { readonly path: string }
  readonly steps?: readonly Step[]
}
/** One query about a case: what it sends, how many tokens were minted by then, and what it gives. */
interface Asked {
  readonly query: string
  /** Seconds that pass before it. */
  readonly after?: number
  /** Whether its answer is good for minutes only. */
  readonly briefly?: true
  readonly sent: readonly string[]
  readonly minted: number
  readonly data?: unknown
  /** Their codes, each with the seconds to wait where it tells them. */
  readonly errors?: readonly string[]
}

/** What the service has at every path that the case says nothing of. */
const OTHER = { body: { obj: { id: 501, name: 'Other' } } }

const T0 = '2026-01-01T00:00:00Z'
const NOW = '2026-03-10T12:00:00Z'
const MINUTES = 5 * 60

const PARTIAL = 'x-accept-partial-data'

/** A request as one reads it, with the one header that an endpoint knows. */
const shown = ({ method, path, query, body, headers }: Seen): string => {
  const pairs = query.map((pair) => pair.join('=')).join('&')
  const header = headers[PARTIAL] === undefined ? '' : ` ${PARTIAL}: ${headers[PARTIAL]}`
  return `${method} ${path}${pairs && `?${pairs}`}${body && ` ${body}`}${header}`
}

/** Cursors are opaque: they are asked for to be used. */
const withoutCursors = (data: unknown): unknown =>
  data &&
  JSON.parse(JSON.stringify(data), (key, value) =>
    key === 'endCursor' && value !== null ? undefined : value,
  )

/** Seconds for which an answer may be kept. */
const lifeOf = (headers: Headers): number =>
  Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0)

const folder = new URL('fixtures/', import.meta.url)
const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

describe.each(files)('%s', (file) => {
  const { cases } = read<{ cases: readonly Case[] }>(file)
  const expected = read<Record<string, readonly Asked[]>>(`expected/${file}`)

  test('no case is left out', () => {
    expect(Object.keys(expected)).toEqual(cases.map(({ name }) => name))
  })

  test.each(cases)('$name: $expect', async ({ name, request, response, steps = [] }) => {
    const paths = [request, ...steps.map((step) => step.request)].map((asked) => asked?.path)
    const answers = response === undefined ? steps.map((step) => step.response) : [response]
    let count = 0
    const { clock, advance } = handClock(file === 'errors.json' ? T0 : NOW)
    const upstream = await openScript(({ path }) => {
      if (!paths.includes(path)) return OTHER
      count = Math.min(count + 1, answers.length)
      const { bodyText, ...answer } = answers[count - 1] as Answer
      const headers = { ...answer.headers, date: new Date(clock.now()).toUTCString() }
      return { ...answer, headers, ...(bodyText !== undefined && { text: bodyText }) }
    })
    const opened = openGateway(upstream.url, {}, { clock, random: () => 0 })
    onTestFinished(async () => {
      await opened.gateway.close()
      await upstream.close()
    })
    let end = ''
    for (const { query, sent, minted, after = 0, briefly, ...given } of expected[name] ?? []) {
      advance(after * 1000)
      const before = upstream.requests.length
      const { data, errors, headers } = await ask(opened, query.replace('$end', end))
      end = /"endCursor":"([^"]+)/.exec(JSON.stringify(data ?? null))?.[1] ?? ''
      const codes = errors.map(({ extensions: { code, retryAfter } }) =>
        retryAfter === undefined ? code : `${code} ${retryAfter}`,
      )
      const got = { data: withoutCursors(data), ...(codes.length > 0 && { errors: codes }) }
      expect(got).toEqual(given)
      expect(JSON.stringify([data, errors])).not.toMatch(/NaN|Invalid Date|\[object /)
      if (briefly) expect(lifeOf(headers)).toBeLessThanOrEqual(MINUTES)
      expect(upstream.tokens.length).toBe(minted)
      expect(upstream.requests.slice(before).map(shown)).toEqual(sent)
    }
  })
})
