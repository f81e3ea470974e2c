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
  expect(told(late)).toEqual(['21601', 'no-store', 'refrain; hit; ttl=-1'])
  expect(late.credits.stale).toEqual([{ path: ['artist'], age: 21_601, reason: 'MAX_STALE' }])
})

test('what a row of another answer tells is as old as that answer, and no better', async () => {
  const { opened, advance } = await start()
  const search = '{ search(query: "river") { artists { nodes { cmId name } } } }'
  const { data } = await ask(opened, search)
  const [{ cmId, name }] = data.search.artists.nodes
  advance(300 * SECONDS)
  const artist = `artist(cmId: ${cmId}) { name }`
  const alone = await ask(opened, `{ ${artist} }`)
  expect(alone.credits.spent).toBe(0)
  expect(told(alone)).toEqual(['300', 'public, max-age=600', 'refrain; hit; ttl=300'])
  expect(told(await ask(opened, `{ ${artist} track(cmId: 9) { durationMs } }`))).toEqual([
    '300',
    'public, max-age=600',
    'refrain; fwd=partial; stored',
  ])
  advance(301 * SECONDS)
  const late = await ask(opened, `{ ${artist} }`, { headers: { 'cache-control': 'max-stale' } })
  expect(late.data).toEqual({ artist: { name } })
  expect(told(late)).toEqual(['601', 'no-store', 'refrain; hit; ttl=-1'])
  expect(late.credits.stale).toEqual([{ path: ['artist'], age: 601, reason: 'MAX_STALE' }])
})

test('an estimate past its freshness says so, also where it came with others', async () => {
  const { opened, advance } = await start()
  await ask(opened, '{ streamEstimates(trackCmIds: [5, 6, 7]) { status } }')
  advance(43_201 * SECONDS)
  const late = await ask(opened, '{ streamEstimates(trackCmIds: [6]) { status } }', {
    headers: { 'cache-control': 'max-stale' },
  })
  expect(told(late)).toEqual(['43201', 'no-store', 'refrain; hit; ttl=-1'])
  expect(late.credits.stale).toMatchObject([{ age: 43_201, reason: 'MAX_STALE' }])
})

test('Cache-Status says why something was sent: nothing was held, it was too old, or the client wanted it fresh', async () => {
  const { opened, advance } = await start()
  const status = async (headers: Record<string, string> = {}) =>
    told(await ask(opened, `{ ${ARTIST} }`, { headers }))[2]
  expect(await status()).toBe('refrain; fwd=miss; stored')
  advance(20 * SECONDS)
  expect(await status({ 'cache-control': 'no-cache' })).toBe('refrain; fwd=request; stored')
  advance(20 * SECONDS)
  expect(await status({ 'cache-control': 'max-age=10' })).toBe('refrain; fwd=request; stored')
  expect(await status({ 'cache-control': 'max-age=10' })).toBe('refrain; hit; ttl=21600')
  // Past the time in which it is renewed behind the answer.
  advance(8 * 3600 * SECONDS)
  expect(await status()).toBe('refrain; fwd=stale; stored')
  expect(opened.meter.credits).toBe(4)
})

test('a request whose answer is not to be kept takes what is held: only one that wants it anew pays', async () => {
  const { opened, advance } = await start()
  const spent = async (control: string) =>
    (await ask(opened, `{ ${ARTIST} }`, { headers: { 'cache-control': control } })).credits.spent
  expect(await spent('max-age=60')).toBe(1)
  advance(20 * SECONDS)
  expect(await spent('no-store')).toBe(0)
  expect(await spent('no-store, no-cache')).toBe(1)
})

test.each([
  ['X-Credits-Report', 'abc', 'off or requests'],
  ['X-Credits-Report', 'Off', 'off or requests'],
  ['X-Credits-Report', '', 'off or requests'],
  ['X-Credits-Plan', 'abc', 'report or only'],
  ['X-Credits-Limit', 'abc', 'a whole number of credits, of 9 digits at most'],
  ['X-Credits-Limit', '1234567890', 'a whole number of credits, of 9 digits at most'],
])('a header of ours that is not as it must be is refused: %s: %s', async (name, value, bound) => {
  const { opened } = await start()
  for (const _time of ['first', 'second']) {
    const answered = await ask(opened, `{ ${ARTIST} }`, { headers: { [name]: value } })
    expect([answered.status, answered.data]).toEqual([400, undefined])
    const [error] = answered.errors
    expect(error?.message).toBe(`${name} must be ${bound}, got "${value}"`)
    expect(error?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: name })
  }
  expect(opened.meter.credits).toBe(0)
})

test('what is no directive of a Cache-Control is ignored, and as many seconds as nobody counts are very many', async () => {
  const { opened, advance } = await start()
  const spent = async (control: string) =>
    (await ask(opened, `{ ${ARTIST} }`, { headers: { 'cache-control': control } })).credits.spent
  expect(await spent('max-age=abc')).toBe(1)
  advance(20 * SECONDS)
  for (const control of [
    'max-age=abc',
    'max-age=10m, stale-if-error=5',
    'max-age=-1',
    'x="y", ,=',
    '',
  ])
    expect(await spent(control)).toBe(0)
  expect(await spent('max-age=99999999999')).toBe(0)
  advance(30 * 86_400 * SECONDS)
  expect(await spent('max-stale=99999999999')).toBe(0)
  expect(await spent('max-stale=abc')).toBe(1)
})
