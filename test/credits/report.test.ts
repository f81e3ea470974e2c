import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../support/run.ts'
import { ask } from './ask.ts'

interface Use {
  readonly name: string
  readonly spent: number
  readonly saved: number
}
const REPORT = `{ credits { spent backgroundSpent saved
  byEndpoint { name spent saved } byOperation { name spent saved } byClient { name spent saved } byField { name spent saved } } }`
const sum = (uses: readonly Use[], what: 'spent' | 'saved') =>
  uses.reduce((total, use) => total + use[what], 0)

test('the report tells by endpoint, field, operation and client what was spent and saved, and each sums to the whole', async () => {
  const opened = await run({ env: { FEDERATION_SECRET: 'between-us' } })
  const router = { authorization: 'Bearer between-us' }
  await ask(opened, 'query Page { artist(cmId: 5) { rank } track(cmId: 7) { score } }')
  await ask(opened, 'query Page { artist(cmId: 5) { rank } }')
  await ask(opened, '{ artist(cmId: 5) { premium { wherePeopleListen } } }')
  await ask(
    opened,
    'query Join { _entities(representations: [{ __typename: "Artist", cmId: 6 }]) { ... on Artist { rank } } }',
    { headers: router },
  )
  const { data, credits } = await ask(opened, REPORT)
  expect(credits.spent).toBe(0)
  expect(data.credits).toEqual({
    spent: 5,
    backgroundSpent: 0,
    saved: 1,
    byEndpoint: [
      { name: 'artist', spent: 2, saved: 1 },
      { name: 'artistWherePeopleListen', spent: 2, saved: 0 },
      { name: 'track', spent: 1, saved: 0 },
    ],
    byOperation: [
      { name: 'Page', spent: 2, saved: 1 },
      { name: 'anonymous', spent: 2, saved: 0 },
      { name: 'Join', spent: 1, saved: 0 },
    ],
    byClient: [
      { name: 'anonymous', spent: 4, saved: 1 },
      { name: 'router', spent: 1, saved: 0 },
    ],
    byField: [
      { name: 'ArtistPremium.wherePeopleListen', spent: 2, saved: 0 },
      { name: 'Query.artist', spent: 1, saved: 1 },
      { name: 'Query._entities', spent: 1, saved: 0 },
      { name: 'Query.track', spent: 1, saved: 0 },
    ],
  })
  expect(opened.meter.credits).toBe(5)
})

test('names that clients make up cost the report no more than 500 lines of 100 letters', async () => {
  const opened = await run()
  const names = Array.from({ length: 520 }, (_, at) => `Q${at}${'x'.repeat(200)}`)
  for (const name of names) await ask(opened, `query ${name} { artist(cmId: 5) { rank } }`)
  const { data } = await ask(opened, REPORT)
  const { byOperation, saved } = data.credits
  expect(byOperation.length).toBeLessThanOrEqual(501)
  expect(byOperation.map(({ name }: Use) => name)).toContain('others')
  expect(Math.max(...byOperation.map(({ name }: Use) => name.length))).toBe(100)
  expect([sum(byOperation, 'spent'), sum(byOperation, 'saved')]).toEqual([1, saved])
})

test('an answer tells on request what each endpoint was sent and spared; the parts sum to the whole', async () => {
  const opened = await run()
  const headers = { 'x-credits-report': 'requests' }
  const query = `{
    charts { platB(countryCode: "DE", date: "2025-06-06", first: 3) { nodes { name artistCredits { name artist { cmId } } } } }
    artist(cmId: 5) { rank }
    again: artist(cmId: 5) { name }
    premium: artist(cmId: 6) { premium { wherePeopleListen } }
  }`
  const first = await ask(opened, query, { headers })
  expect(first.credits).toMatchObject({
    spent: 4,
    requests: expect.arrayContaining([
      { endpoint: 'platBChart', state: 'sent', credits: 1 },
      { endpoint: 'artist', state: 'sent', credits: 1 },
      { endpoint: 'artist', state: 'merged', credits: 1 },
      { endpoint: 'artistWherePeopleListen', state: 'sent', credits: 2 },
    ]),
  })
  const second = await ask(opened, query, { headers })
  for (const { credits } of [first, second]) {
    const of = (state: string) =>
      (credits.requests ?? []).reduce((total, e) => total + (e.state === state ? e.credits : 0), 0)
    expect(of('sent')).toBe(credits.spent)
    for (const [saving, saved] of Object.entries(credits.savedBy)) expect(of(saving)).toBe(saved)
  }
  expect(second.credits.spent).toBe(0)
  expect((await ask(opened, query)).credits).not.toHaveProperty('requests')
})

test('the report by field names the one that asked, whatever its alias, and sums to what operations spent', async () => {
  const opened = await run({ sandbox: { flawedRows: false } })
  await ask(
    opened,
    `{ top: charts { platB(countryCode: "US", first: 1) { nodes { a: artists { b: moods { name } } } } }
      artists(cmIds: [5, 6]) { t: tracks(first: 2) { nodes { score } } }
      streamEstimates(trackCmIds: [5]) { status } }`,
  )
  const { data } = await ask(opened, REPORT)
  const { byField, spent } = data.credits
  expect(byField.map(({ name }: Use) => name).sort()).toEqual([
    'Artist.moods',
    'Artist.tracks',
    'Charts.platB',
    'Query.streamEstimates',
  ])
  expect(sum(byField, 'spent')).toBe(spent)
  expect(spent).toBe(opened.meter.credits)
})

test('what is saved is told of the field that was spared it, for every reason, also where an answer is served from its bytes', async () => {
  const opened = await run({ sandbox: { flawedRows: false } })
  const page = (after: string) =>
    `{ playlists(platform: PLAT_B, first: 3${after}) { pageInfo { endCursor } } }`
  const { data: begun } = await ask(opened, page(''))
  const chart = `{ charts { platB(countryCode: "US", first: 3) { nodes { track { name } artists { name moods { name } } } } }
    a: artist(cmId: 5) { rank } b: artist(cmId: 5) { name }
    artists(cmIds: [10, 11, 12]) { tracks(first: 2) { nodes { score } } }
    streamEstimates(trackCmIds: [5, 6, 7]) { status } }`
  const asked = [
    page(`, after: "${begun.playlists.pageInfo.endCursor}"`),
    chart,
    chart,
    chart,
    chart,
  ]
  for (const query of asked) expect((await ask(opened, query)).errors).toEqual([])
  const { data } = await ask(opened, REPORT)
  const { byEndpoint, byOperation, byClient, byField, spent, saved } = data.credits
  for (const uses of [byEndpoint, byOperation, byClient, byField])
    expect([sum(uses, 'spent'), sum(uses, 'saved')]).toEqual([spent, saved])
  expect(spent).toBe(opened.meter.credits)
  const savers = byField.filter(({ saved: own }: Use) => own > 0).map(({ name }: Use) => name)
  expect(savers.sort()).toEqual([
    'Artist.moods',
    'Artist.tracks',
    'Charts.platB',
    'Query.artist',
    'Query.playlists',
    'Query.streamEstimates',
    'Track.name',
  ])
})

test('the page on credits names what an answer tells of them, the budget nearest to its end among it', async () => {
  const opened = await run({ env: { CREDITS_PER_DAY: '10', CREDITS_PER_MONTH: '1000' } })
  const { credits } = await ask(opened, '{ artist(cmId: 5) { rank } }', {
    headers: { 'x-credits-report': 'requests' },
  })
  const { budget } = credits
  expect(budget).toEqual({ limit: 10, remaining: 9, resetsAt: expect.stringMatching(/T00:00:00/) })
  const page = readFileSync('docs/credits.md', 'utf8')
  for (const name of Object.keys(credits)) expect(page).toContain(`"${name}": `)
  for (const name of ['stale', 'stretch']) expect(page).toContain(`extensions.credits.${name}`)
  const told = /^"budget": (\{.*\})$/m.exec(page)?.[1] ?? '{}'
  expect(Object.keys(JSON.parse(told))).toEqual(Object.keys(budget ?? {}))
})
