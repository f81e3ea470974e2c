import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openRun } from '../support/run.ts'
import { type Answered, ask, DAY, HOUR, handClock, priceOf } from './ask.ts'

const PAGE = readFileSync('docs/credits.md', 'utf8')

type Run = Awaited<ReturnType<typeof openRun>>
interface Told {
  readonly run: Run
  readonly advance: (ms: number) => void
}

const spent = async ({ run }: Told, query: string): Promise<number> => {
  const before = run.meter.credits
  const { credits } = await ask(run, query)
  expect(run.meter.credits - before).toBe(credits.spent)
  return credits.spent
}

const chart = (below: string, first = 100) =>
  `{ charts { platB(countryCode: "US", first: ${first}) { nodes { ${below} } } } }`
const VIDEOS = 'premium { platDTopVideos }'
const tracksOf = ({ data }: Answered): number =>
  new Set(data.charts.platB.nodes.map(({ track }: { track: { cmId: number } }) => track.cmId)).size

/** Every sentence with a number, as it stands on the page, and the run that shows it. */
const CLAIMS: readonly (readonly [string, (told: Told) => Promise<void>])[] = [
  [
    "A credit is one request to the service: 1, or 2 for what hangs on `premium` and for a brand's `audience`.",
    async (told) => {
      expect(await spent(told, '{ album(cmId: 5) { label } }')).toBe(1)
      expect(await spent(told, `{ artist(cmId: 5) { ${VIDEOS} } }`)).toBe(2)
      expect(await spent(told, '{ brand(cmId: "5") { audience } }')).toBe(2)
    },
  ],
  [
    'a page of 100 costs what a page of 1 costs',
    async (told) => {
      expect(await spent(told, '{ venues(first: 1) { nodes { venueType } } }')).toBe(1)
      const other = '{ venues(first: 100, filter: { countryCode: "US" }) { nodes { venueType } } }'
      expect(await spent(told, other)).toBe(1)
    },
  ],
  [
    '| a chart of 100 rows, with the name, code and artists of each track | 1 |',
    async (told) => {
      expect(await spent(told, chart('track { name isrc artists { name } }'))).toBe(1)
    },
  ],
  [
    '| the same, with `durationMs` of each track | 1, and 1 for each distinct track |',
    async ({ run }) => {
      const answered = await ask(run, chart('track { cmId name durationMs }'))
      expect(answered.credits.spent).toBe(1 + tracksOf(answered))
      expect(run.meter.credits).toBe(1 + tracksOf(answered))
    },
  ],
  [
    '| the same artist five times in one operation | 1 |',
    async (told) => {
      const five = ['a', 'b', 'c', 'd', 'e'].map((key) => `${key}: artist(cmId: 5) { rank }`)
      expect(await spent(told, `{ ${five.join(' ')} }`)).toBe(1)
    },
  ],
  [
    '| ids only: `track { cmId }`, `artist { cmId id }` | 0 |',
    async (told) => {
      expect(await spent(told, chart('track { cmId } artists { cmId id }'))).toBe(1)
    },
  ],
  [
    '| `first: 0`, a page without rows | as much as a page of 1: whether the listing can be had at all, only its answer tells |',
    async (told) => {
      const page = '{ venues(first: 0) { nodes { venueType } } }'
      told.run.sandbox.faults.inject('venues', { status: 403, times: 1 })
      expect((await ask(told.run, page)).data.venues).toBeNull()
      told.advance(HOUR)
      expect(await spent(told, page)).toBe(1)
      expect(await spent(told, '{ venues(first: 1) { nodes { venueType } } }')).toBe(0)
    },
  ],
  [
    '| an argument that the service would refuse, a cursor of another listing | 0: refused before anything is sent |',
    async (told) => {
      expect(await spent(told, '{ artist(cmId: 1) { name } }')).toBe(0)
      const wrong = '{ venues(after: "bm9uZQ") { nodes { venueType } } }'
      expect((await ask(told.run, wrong)).errors).toHaveLength(1)
      expect(told.run.meter.requests).toHaveLength(0)
    },
  ],
  [
    '| an entity that does not exist | 1, then nothing for 3 minutes |',
    async (told) => {
      const nobody = '{ artist(cmId: 2000000000) { name } }'
      expect(await spent(told, nobody)).toBe(1)
      told.advance(170_000)
      expect(await spent(told, nobody)).toBe(0)
      told.advance(20_000)
      expect(await spent(told, nobody)).toBe(1)
    },
  ],
  [
    '| a premium endpoint that your plan does not permit | 2 once, then nothing for 10 minutes, however many rows ask |',
    async (told) => {
      told.run.sandbox.faults.inject('artistPlatDTopVideos', { status: 403 })
      expect(await spent(told, `{ artists(cmIds: [5, 6, 7, 8]) { ${VIDEOS} } }`)).toBe(2)
      told.advance(590_000)
      expect(await spent(told, `{ artists(cmIds: [9, 10]) { ${VIDEOS} } }`)).toBe(0)
      told.advance(20_000)
      expect(await spent(told, `{ artists(cmIds: [9, 10]) { ${VIDEOS} } }`)).toBe(2)
    },
  ],
  [
    'after a run the same plan says 0',
    async ({ run }) => {
      await ask(run, chart('track { name durationMs }', 20))
      const { min, likely, max } = await priceOf(run, chart('track { name durationMs }', 20))
      expect([min, likely, max]).toEqual([0, 0, 0])
    },
  ],
  [
    '"message": "the operation costs at least 3 credits, and its limit is 2"',
    async ({ run }) => {
      const headers = { 'x-credits-limit': '2' }
      const { errors, status } = await ask(run, '{ artists(cmIds: [5, 6, 7]) { rank } }', {
        headers,
      })
      expect(PAGE).toContain(`"message": ${JSON.stringify(errors[0]?.message)}`)
      expect(errors[0]?.extensions).toEqual({ code: 'CREDIT_LIMIT_EXCEEDED', credits: 3 })
      expect(status).toBe(400)
    },
  ],
  [
    '"message": "this would cost 1 more, and 0 of the operation\'s 5 credits are left"',
    async ({ run }) => {
      const headers = { 'x-credits-limit': '5' }
      const { errors, credits } = await ask(run, chart('track { durationMs }', 20), { headers })
      expect(credits.spent).toBe(5)
      const told = errors.find(({ path }) => path?.[3] === 5)
      expect(PAGE).toContain(`"message": ${JSON.stringify(told?.message)}`)
      expect(PAGE).toContain(`"path": ${JSON.stringify(told?.path).replaceAll(',', ', ')}`)
      expect(told?.extensions).toEqual({ code: 'CREDIT_LIMIT_EXCEEDED', credits: 1 })
    },
  ],
  [
    'from 10 minutes for a search to for good for a settled day of a chart',
    async (told) => {
      const search = '{ search(query: "river") { artists { nodes { name } } } }'
      const day = '{ charts { platB(countryCode: "US", date: "2025-06-06") { nodes { rank } } } }'
      expect([await spent(told, search), await spent(told, day)]).toEqual([1, 1])
      told.advance(9 * 60_000)
      expect(await spent(told, search)).toBe(0)
      told.advance(1000 * DAY)
      expect([await spent(told, search), await spent(told, day)]).toEqual([1, 0])
    },
  ],
  [
    '"saved": 47,',
    async ({ run }) => {
      const [, query = ''] = /({ charts .*date.*})\n```\n\n1 credit, 47 saved/.exec(PAGE) ?? []
      const { credits } = await ask(run, query)
      expect(credits).toMatchObject({ spent: 1, saved: 47, savedBy: { hydrated: 47 } })
    },
  ],
  [
    '1 credit the first time, none within 6 hours.',
    async (told) => {
      const query = '{ artist(cmId: 50) { rank } }'
      expect(await spent(told, query)).toBe(1)
      told.advance(5.9 * HOUR)
      expect(await spent(told, query)).toBe(0)
      // Past its renewal behind the back, too.
      told.advance(8 * HOUR)
      expect(await spent(told, query)).toBe(1)
    },
  ],
  [
    '1 credit, 1 saved. Fifty visitors who open a page at the same moment pay for it once;',
    async ({ run }) => {
      const query = '{ a: artist(cmId: 50) { rank } b: artist(cmId: 50) { name } }'
      const [first] = await Promise.all(Array.from({ length: 50 }, () => ask(run, query)))
      expect(first?.credits).toMatchObject({ spent: 1, savedBy: { merged: 1 } })
      expect(run.meter.credits).toBe(1)
    },
  ],
  [
    'Stream estimates take 50 tracks a request',
    async (told) => {
      const tracks = (count: number) => Array.from({ length: count }, (_, at) => at)
      expect(await spent(told, `{ streamEstimates(trackCmIds: [${tracks(50)}]) { status } }`)).toBe(
        1,
      )
      const more = `{ streamEstimates(trackCmIds: [${tracks(51)}], date: "2026-03-01") { status } }`
      expect(await spent(told, more)).toBe(2)
    },
  ],
  [
    'Twenty pages, 1,000 playlists, 2 credits.',
    async ({ run }) => {
      let after: string | null = null
      for (let page = 0; page < 20; page++) {
        const { data } = await ask(
          run,
          'query ($after: String) { playlists(platform: PLAT_B, first: 50, after: $after) { nodes { name } pageInfo { endCursor } } }',
          { variables: { after } },
        )
        expect(data.playlists.nodes).toHaveLength(50)
        after = data.playlists.pageInfo.endCursor
      }
      expect(run.meter.credits).toBe(2)
    },
  ],
]

test.each(CLAIMS)('the page on credits keeps its word: %s', async (sentence, holds) => {
  expect(PAGE).toContain(sentence)
  const { clock, advance } = handClock('2026-03-10T12:00:00Z')
  const run = await openRun({ clock, sandbox: { flawedRows: false } })
  try {
    await holds({ run, advance })
  } finally {
    await run.close()
  }
})
