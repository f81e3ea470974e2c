import { expect, test } from 'vitest'
import { openRun } from '../support/run.ts'
import { ask } from './ask.ts'

const HOT = Array.from({ length: 40 }, (_, at) => at + 2)
const ROSTER = `{ artists(cmIds: [${HOT}]) { rank } }`

test('a window of 10,000 rows does not evict a hot entity, however many such windows come', async () => {
  // Three megabytes: two such windows are more than all of it.
  const run = await openRun({ env: { CACHE_MAX_MB: '3' }, sandbox: { flawedRows: false } })
  try {
    expect((await ask(run, ROSTER)).credits.spent).toBe(HOT.length)
    for (const platform of ['PLAT_B', 'PLAT_C'])
      for (const countryCode of ['US', 'DE', 'FR'])
        for (const first of [10_000, 3000]) {
          const { data, errors } = await ask(
            run,
            `{ playlists(platform: ${platform}, filter: { countryCode: "${countryCode}", editorialOnly: false }, first: ${first}) { edges { position } } }`,
          )
          expect(errors).toEqual([])
          expect(data.playlists.edges.length).toBeGreaterThan(100)
        }
    const windows = run.meter.requests.filter(({ path }) => path.includes('limit=10000'))
    expect(windows.length).toBeGreaterThan(5)
    expect(run.gateway.upstream.book.spent).toBe(run.meter.credits)
    const again = await ask(run, ROSTER)
    expect(again.credits).toMatchObject({ spent: 0, savedBy: { cache: HOT.length } })
  } finally {
    await run.close()
  }
})
