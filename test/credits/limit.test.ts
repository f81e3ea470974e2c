import { describe, expect, test } from 'vitest'
import { run } from '../support/run.ts'
import { type Answered, ask, priceOf } from './ask.ts'

/** Fifty operations at once take a slow machine longer than the deadline of one. */
const FIFTY = {
  env: { OPERATION_TIMEOUT_MS: '60000' },
  sandbox: { flawedRows: false, latencyMs: 5 },
}

const sum = (answers: readonly Answered[]) =>
  answers.reduce((total, { credits }) => total + credits.spent, 0)

/** Every artist of a chart, a field of whose record is asked for: one request for the chart, some dozens for them. */
const WIDE = `charts { platB(countryCode: "US", first: 100) {
  nodes { rank artists { cmId name moods { name } } } } }`

interface Row {
  readonly artists: readonly { readonly cmId: number; readonly moods: unknown }[]
}

/** What is missing, by its place in the answer; artist 1, the various artists, has no record. */
const missing = ({ data }: Answered): string[] =>
  data.charts.platB.nodes.flatMap(({ artists }: Row, row: number) =>
    artists.flatMap(({ cmId, moods }, at) =>
      moods === null && cmId !== 1 ? [`charts.platB.nodes.${row}.artists.${at}.moods`] : [],
    ),
  )

describe('5: a limit of three', () => {
  test.each([
    ['@credits(limit: 3)', `query @credits(limit: 3) { ${WIDE} }`, {}],
    ['X-Credits-Limit: 3', `{ ${WIDE} }`, { 'x-credits-limit': '3' }],
    [
      'the stricter of the two',
      `query @credits(limit: 50) { ${WIDE} }`,
      { 'x-credits-limit': '3' },
    ],
  ])('%s never puts a fourth request on the wire', async (_, query, headers) => {
    const opened = await run({ sandbox: { flawedRows: false } })
    const answered = await ask(opened, query, { headers })
    expect(opened.meter.requests).toHaveLength(3)
    expect(answered.credits.spent).toBe(3)
    expect(answered.data.charts.platB.nodes).toHaveLength(100)

    const gone = missing(answered)
    expect(gone.length).toBeGreaterThan(40)
    expect(answered.errors.map(({ path }) => path?.join('.')).sort()).toEqual(gone.sort())
    for (const { extensions, message } of answered.errors) {
      expect(extensions).toMatchObject({ code: 'CREDIT_LIMIT_EXCEEDED', credits: 1 })
      expect(message).toBe("this would cost 1 more, and 0 of the operation's 3 credits are left")
    }
  })

  test('never puts a fourth request on the wire, also under 50 concurrent operations sharing one key', async () => {
    const opened = await run(FIFTY)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask(opened, `query @credits(limit: 3) { ${WIDE} }`)),
    )
    for (const answered of answers) {
      expect(answered.credits.spent).toBeLessThanOrEqual(3)
      expect(answered.errors.map(({ path }) => path?.join('.')).sort()).toEqual(
        missing(answered).sort(),
      )
    }
    expect(opened.meter.credits).toBe(sum(answers))
    const paths = opened.meter.requests.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(answers.filter(({ credits }) => credits.spent === 3).length).toBeGreaterThan(10)
  })

  test('is no more for 50 operations that want different things at once', async () => {
    const opened = await run(FIFTY)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        ask(
          opened,
          `{ charts { platB(countryCode: "US", date: "2025-0${1 + (at % 6)}-0${1 + (at % 9)}", first: 100) {
          nodes { artists { moods { name } } } } } }`,
          { headers: { 'x-credits-limit': '3' } },
        ),
      ),
    )
    for (const { credits } of answers) expect(credits.spent).toBeLessThanOrEqual(3)
    expect(opened.meter.credits).toBe(sum(answers))
    expect(opened.meter.credits).toBeLessThanOrEqual(150)
  })

  test('refuses, before anything is sent, what costs at least four', async () => {
    const opened = await run()
    const query = '{ artists(cmIds: [5, 6, 7, 8]) { rank } }'
    const { data, errors, status } = await ask(opened, query, {
      headers: { 'x-credits-limit': '3' },
    })
    expect(status).toBe(400)
    expect(data).toBeUndefined()
    expect(errors).toMatchObject([{ extensions: { code: 'CREDIT_LIMIT_EXCEEDED', credits: 4 } }])
    expect(opened.meter.requests).toHaveLength(0)
    expect((await ask(opened, query, { headers: { 'x-credits-limit': '4' } })).credits.spent).toBe(
      4,
    )
  })

  test.each([
    ['X-Credits-Limit', {}, '', { 'x-credits-limit': '3' }],
    ['@credits(limit:)', {}, '@credits(limit: 3)', {}],
    ['CREDITS_PER_OPERATION', { CREDITS_PER_OPERATION: '3' }, '', {}],
  ])(
    'by %s tells the price of it all the same, where that alone is asked for',
    async (_, env, directive, headers) => {
      const opened = await run({ env })
      const query = `query ${directive} { artists(cmIds: [5, 6, 7, 8]) { rank } }`
      const wanted = { headers: { 'x-credits-plan': 'only', ...headers } }
      const { data, errors, status, plan } = await ask(opened, query, wanted)
      expect([status, data, errors]).toEqual([200, null, []])
      const all = { min: 4, likely: 4, max: 4 }
      expect(plan).toMatchObject({ ...all, limit: 3 })
      expect(plan.calls).toHaveLength(4)
      const three = await priceOf(opened, query.replace(', 8', ''), { headers })
      expect(three).not.toHaveProperty('limit')
      const told = { headers: { 'x-credits-plan': 'report', ...headers } }
      expect((await ask(opened, query, told)).status).toBe(400)
      expect(opened.meter.requests).toHaveLength(0)
    },
  )

  test('forbids the repeat of what failed, where that would be a fourth request', async () => {
    const opened = await run()
    opened.sandbox.faults.inject('artist', { status: 503 })
    const query = '{ artists(cmIds: [5, 6, 7]) { rank } }'
    const { credits, errors } = await ask(opened, query, { headers: { 'x-credits-limit': '3' } })
    expect(opened.meter.credits).toBe(3)
    expect(credits.spent).toBe(3)
    expect(errors).toHaveLength(3)
  })

  test('gives up premium first, and what the client ranks low before the rest', async () => {
    const opened = await run()
    const premium = `query @credits(limit: 2) { artist(cmId: 5) { premium { platDTopVideos } rank tracks(first: 3) { nodes { score } } } }`
    const two = await ask(opened, premium)
    expect(two.data.artist).toMatchObject({
      rank: expect.any(Number),
      premium: { platDTopVideos: null },
    })
    expect(two.data.artist.tracks.nodes).toHaveLength(3)
    expect(two.errors.map(({ path }) => path?.join('.'))).toEqual(['artist.premium.platDTopVideos'])
    expect(opened.meter.credits).toBe(2)
    const before = opened.meter.requests.length
    const open = `{ charts { platB(countryCode: "US", date: "2025-06-13", first: 5) { nodes {
      artists { premium { platDTopVideos } rank } } } } }`
    const costs = await priceOf(opened, open)
    expect(costs.min).toBe(1)
    const answered = await ask(opened, open, { headers: { 'x-credits-limit': '4' } })
    const sent = opened.meter.requests.slice(before).map(({ endpoint }) => endpoint)
    expect(sent.filter((endpoint) => endpoint === 'artist').length).toBe(3)
    expect(sent).not.toContain('artistPlatDTopVideos')
    const premiumGone = answered.errors.filter(({ path }) => path?.at(-1) === 'platDTopVideos')
    const artists = answered.data.charts.platB.nodes.flatMap((row: Row) => row.artists)
    expect(premiumGone).toHaveLength(artists.length)

    const ranked = `{ charts { platB(countryCode: "US", date: "2025-06-06", first: 2) { nodes {
      artists { rank @credits(priority: LOW) } track { durationMs } } } } }`
    const low = await ask(opened, ranked, { headers: { 'x-credits-limit': '3' } })
    expect(low.errors.length).toBeGreaterThan(0)
    for (const { path } of low.errors) expect(path?.at(-1)).toBe('rank')
  })
})

test('an operation that was let in is answered, however many requests it takes', async () => {
  const opened = await run({ env: { CREDITS_PER_OPERATION: '1000' } })
  const cmIds = Array.from({ length: 400 }, (_, at) => at + 2)
  const { data, errors, credits } = await ask(opened, `{ artists(cmIds: [${cmIds}]) { rank } }`)
  expect(errors).toEqual([])
  expect(data.artists).toHaveLength(400)
  expect(credits.spent).toBe(400)
  expect(opened.meter.credits).toBe(400)
})

test('what @credits cannot do at its place is refused, and not passed over', async () => {
  const opened = await run()
  const complaint = async (query: string) => {
    const { data, errors } = await ask(opened, query)
    expect(data, query).toBeUndefined()
    return errors.map(({ message }) => message)
  }
  const onField = '@credits(limit:) is for a whole operation'
  expect(await complaint('{ artist(cmId: 5) @credits(limit: 1) { rank } }')).toEqual([onField])
  expect(
    await complaint(
      'query ($l: Int) { ...F } fragment F on Query { artist(cmId: 5) { rank @credits(limit: $l) } }',
    ),
  ).toEqual([onField])
  expect(
    await complaint('{ artist(cmId: 5) @credits(priority: LOW, onlyIfCached: true) { rank } }'),
  ).toEqual(['@credits(onlyIfCached:) is for a whole operation'])
  expect(await complaint('query @credits(priority: LOW) { artist(cmId: 5) { rank } }')).toEqual([
    '@credits(priority:) is for a field',
  ])
  expect(opened.meter.requests).toHaveLength(0)
})
