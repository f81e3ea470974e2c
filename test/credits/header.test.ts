import { expect, test } from 'vitest'
import { run } from '../support/run.ts'
import { type Answered, ask, handClock } from './ask.ts'

const start = async () => {
  const { clock, advance } = handClock('2026-03-10T12:00:00Z')
  const opened = await run({ clock, sandbox: { rotation: 'none', tokenLifetime: 1e6 } })
  return { opened, advance }
}
const told = ({ headers }: Answered) =>
  ['age', 'cache-control', 'cache-status'].map((name) => headers.get(name))

const SECONDS = 1000
const ARTIST = 'artist(cmId: 5) { rank }'

test('an answer is as old as its oldest part, and good as long as the part that ends first', async () => {
  const { opened, advance } = await start()
  expect(told(await ask(opened, `{ ${ARTIST} }`))).toEqual([
    '0',
    'public, max-age=21600',
    'refrain; fwd=miss; stored',
  ])
  advance(600 * SECONDS)
  // What a cache may keep it for is max-age less age: the 21,000 seconds that are left.
  expect(told(await ask(opened, `{ ${ARTIST} }`))).toEqual([
    '600',
    'public, max-age=21600',
    'refrain; hit; ttl=21000',
  ])
  const search = 'search(query: "river") { artists(first: 1) { nodes { name } } }'
  expect(told(await ask(opened, `{ ${ARTIST} ${search} }`))).toEqual([
    '600',
    'public, max-age=1200',
    'refrain; fwd=partial; stored',
  ])
})

test('what is past its freshness, failed, or true for the moment is not to be kept', async () => {
  const { opened, advance } = await start()
  await ask(opened, `{ ${ARTIST} }`)
  const control = async (query: string, headers: Record<string, string> = {}) =>
    (await ask(opened, query, { headers })).headers.get('cache-control')
  expect(await control(`{ ${ARTIST} credits { spent } }`)).toBe('no-store')
  expect(await control('{ credits { spent } }')).toBe('no-store')
  expect(await control(`{ ${ARTIST} bad: artist(cmId: 1) { rank } }`)).toBe('no-store')
  advance(21_601 * SECONDS)
  const late = await ask(opened, `{ ${ARTIST} }`, { headers: { 'cache-control': 'max-stale' } })
  expect(told(late)).toEqual(['21601', 'no-store', 'refrain; hit; ttl=0'])
  expect(late.credits.stale).toEqual([{ path: ['artist'], age: 21_601, reason: 'MAX_STALE' }])
})
