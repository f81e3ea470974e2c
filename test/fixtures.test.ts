import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openScripted } from './support/gateway.ts'

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
  readonly sent: readonly string[]
  readonly minted: number
  readonly data?: unknown
  readonly errors?: readonly string[]
}

/** What the service has at every path that the case says nothing of. */
const OTHER = { body: { obj: { id: 501, name: 'Other' } } }

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
    const run = await openScripted(({ path }) => {
      if (!paths.includes(path)) return OTHER
      count = Math.min(count + 1, answers.length)
      const { bodyText, ...answer } = answers[count - 1] as Answer
      return bodyText === undefined ? answer : { ...answer, text: bodyText }
    })
    let end = ''
    for (const { query, sent, minted, ...given } of expected[name] ?? []) {
      const before = run.upstream.requests.length
      const { data, errors } = await run.query(query.replace('$end', end))
      end = /"endCursor":"([^"]+)/.exec(JSON.stringify(data ?? null))?.[1] ?? ''
      const codes = errors.map(({ extensions }) => extensions.code)
      expect({ data, ...(codes.length === 0 ? {} : { errors: codes }) }).toEqual(given)
      expect(run.upstream.tokens.length).toBe(minted)
      const requests = run.upstream.requests.slice(before).map((seen) => {
        const pairs = seen.query.map((pair) => pair.join('=')).join('&')
        return `${seen.method} ${seen.path}${pairs && `?${pairs}`}${seen.body && ` ${seen.body}`}`
      })
      expect(requests).toEqual(sent)
    }
    await run.close()
  })
})
