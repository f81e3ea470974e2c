import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openRun } from '../support/run.ts'
import { ask, handClock, priceOf } from './ask.ts'

const FOLDER = 'docs/recipes'

/** What each recipe is asked next, by the number of its file; two take no arguments, and cost nothing then. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '01': { text: 'silver', most: 8 },
  '02': { artist: 7 },
  '03': { first: 1003, second: 1004 },
  '04': { country: 'DE', day: '2025-06-04' },
  '05': { day: '2025-03-02' },
  '06': { day: '2025-03-07' },
  '07': { genre: 'house', today: '2025-04-12', yesterday: '2025-04-11', before: '2025-04-10' },
  '08': {},
  '09': { min: 200_000, max: 900_000 },
  '10': {},
  '11': { text: 'arena' },
  '12': { countries: ['FR'] },
  '13': { country: 'DE', day: '2025-03-07' },
  '14': { link: 'https://open.plata.example.invalid/track/1000000009pNZc417YnZHf' },
  '15': { album: 9 },
  '16': { artist: 7 },
}

test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.graphql')))(
  '%s: after one run, the likely price of other arguments is within a factor of 1.5',
  async (name) => {
    const { clock } = handClock('2026-03-10T12:00:00Z')
    const run = await openRun({ clock, sandbox: { flawedRows: false, rotation: 'none' } })
    try {
      const query = readFileSync(`${FOLDER}/${name}`, 'utf8')
      const variables = OTHERS[name.slice(0, 2)]
      expect(variables).toBeDefined()
      await ask(run, query)
      const { likely } = await priceOf(run, query, { variables: variables ?? {} })
      const { credits, errors } = await ask(run, query, { variables: variables ?? {} })
      expect(errors).toEqual([])
      expect(credits.spent > 0).toBe(Object.keys(variables ?? {}).length > 0)
      expect(likely).toBeGreaterThanOrEqual(credits.spent / 1.5)
      expect(likely).toBeLessThanOrEqual(credits.spent * 1.5)
    } finally {
      await run.close()
    }
  },
)
