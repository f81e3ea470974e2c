import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { ask, HOUR, priceOf } from '../credits/ask.ts'
import { openGateway } from '../support/gateway.ts'
import { openScript, type Scripted, type Seen } from '../support/script.ts'

const artistsIn = ({ query }: Seen) =>
  query.filter(([name]) => name === 'artists[]').map(([, id]) => Number(id))

const trackOf = (artistId: number) => ({
  cm_track: artistId + 100,
  name: `Track of ${artistId}`,
  artist: [{ id: artistId, name: `Artist ${artistId}` }],
  album: [],
})

/** A service that gives each artist one track, where it does not say something else. */
const open = async (otherwise: (artistIds: number[]) => Scripted | undefined = () => undefined) => {
  const upstream = await openScript((seen) => {
    const artistIds = artistsIn(seen)
    const obj = artistIds.map(trackOf)
    return otherwise(artistIds) ?? { body: { obj, offset: 0, total: obj.length } }
  })
  let passed = 0
  const clock = { ...systemClock, now: () => systemClock.now() + passed }
  const opened = { ...openGateway(upstream.url, {}, { clock }), upstream }
  onTestFinished(async () => {
    await opened.gateway.close()
    await upstream.close()
  })
  const tracks = async (...cmIds: number[]) => {
    const text = `{ artists(cmIds: [${cmIds}]) { tracks(first: 1) { nodes { track { name } } } } }`
    const { min, max } = await priceOf(opened, text)
    const before = opened.upstream.requests.length
    const { data, errors, credits } = await ask(opened, text)
    expect(credits.spent).toBeGreaterThanOrEqual(min)
    expect(credits.spent).toBeLessThanOrEqual(max)
    expect(credits.spent).toBe(opened.upstream.requests.length - before)
    return {
      names: data.artists.map(({ tracks }: { tracks: { nodes: { track: object }[] } | null }) =>
        tracks?.nodes.map(({ track }) => track),
      ),
      errors,
      sent: opened.upstream.requests.slice(before).map(artistsIn),
    }
  }
  const advance = (ms: number) => {
    passed += ms
  }
  return { tracks, opened, advance }
}

const namesOf = (...artistIds: number[]) => artistIds.map((id) => [{ name: `Track of ${id}` }])

test('a shared window that tells all tracks serves each of its artists, and whichever of them', async () => {
  const { tracks } = await open()
  expect((await tracks(2, 7, 9)).sent).toEqual([[2, 7, 9]])
  for (const some of [[2], [7], [9], [9, 2]]) {
    expect(await tracks(...some)).toEqual({ names: namesOf(...some), errors: [], sent: [] })
    expect(await tracks(2, 7, 9)).toEqual({ names: namesOf(2, 7, 9), errors: [], sent: [] })
  }
})

test('artists of whom all but one are held cost one request, for that one', async () => {
  const { tracks } = await open()
  await tracks(2)
  await tracks(7)
  expect((await tracks(2, 7, 9)).sent).toEqual([[9]])
  expect(await tracks(2, 7, 9)).toEqual({ names: namesOf(2, 7, 9), errors: [], sent: [] })
})

test('artists of whom some are held cost one request, also when others of them come to be held', async () => {
  const { tracks } = await open()
  await tracks(2)
  expect((await tracks(2, 7, 9)).sent).toHaveLength(1)
  await tracks(7)
  expect(await tracks(2, 7, 9)).toEqual({ names: namesOf(2, 7, 9), errors: [], sent: [] })
})

test('an artist who is held is not lost with a shared window that cannot be had', async () => {
  const { tracks } = await open((artistIds) => (artistIds.length > 1 ? { status: 503 } : undefined))
  await tracks(2)
  const { names, errors } = await tracks(2, 7, 9)
  expect(names).toEqual([...namesOf(2), undefined, undefined])
  expect(errors.map(({ path }) => path)).toEqual([
    ['artists', 1, 'tracks'],
    ['artists', 2, 'tracks'],
  ])
})

test.each([400, 404, 422])(
  'a shared request that is refused with %d for one of its artists is lost for that one alone',
  async (status) => {
    const { tracks } = await open((artistIds) => (artistIds.includes(7) ? { status } : undefined))
    const { names, errors, sent } = await tracks(7, 2, 5, 9)
    expect(names).toEqual([status === 404 ? [] : undefined, ...namesOf(2, 5, 9)])
    expect(errors.map(({ path }) => path)).toEqual(status === 404 ? [] : [['artists', 0, 'tracks']])
    expect(sent[0]).toEqual([2, 5, 7, 9])
    expect(
      sent
        .slice(1)
        .flat()
        .sort((one, other) => one - other),
    ).toEqual([2, 5, 7, 9])
    expect((await tracks(7, 2, 5, 9)).sent).toEqual([])
  },
)

test('what is refused of two artists alone is asked for no other', async () => {
  const { tracks } = await open(() => ({ status: 400, body: { error: 'no such order' } }))
  const { names, errors, sent } = await tracks(2, 3, 5, 7, 8, 9)
  expect(names).toEqual(Array(6).fill(undefined))
  expect(errors).toHaveLength(6)
  for (const { message } of errors) expect(message).toContain('no such order')
  expect(sent).toEqual([[2, 3, 5, 7, 8, 9], [2], [3]])
})

test('the price of several artists is one at least, unless nothing need be sent for them', async () => {
  const { tracks, opened } = await open()
  const field = (first: number) => `tracks(first: ${first}) { nodes { score } }`
  const least = async (selection: string) => (await priceOf(opened, `{ ${selection} }`)).min
  const three = `artists(cmIds: [2, 7, 9]) { ${field(1)} }`
  expect(await least(three)).toBe(1)
  expect(await least(`a: artist(cmId: 2) { ${field(1)} } b: artist(cmId: 2) { ${field(2)} }`)).toBe(
    1,
  )
  expect(
    await least(`a: artist(cmId: 2) { ${field(1)} } b: artist(cmId: 7) { ${field(200)} }`),
  ).toBe(2)
  // One whose record tells that there is none is not asked for its tracks.
  expect(await least(`artists(cmIds: [2, 7]) { name ${field(1)} }`)).toBe(2)
  await tracks(2)
  expect(await least(three)).toBe(1)
  await tracks(2, 7, 9)
  expect(await least(three)).toBe(0)
  expect(await least(`artists(cmIds: [2, 7, 8]) { ${field(1)} }`)).toBe(1)
  await tracks(7)
  expect(await least(`artists(cmIds: [2, 7]) { ${field(1)} }`)).toBe(0)
})

test('what some of the joined cost is no more certain for what the last run needed', async () => {
  const { tracks, opened } = await open()
  await tracks(2)
  await tracks(7)
  const text = '{ artists(cmIds: [2, 7]) { tracks(first: 1) { nodes { score } } } }'
  await ask(opened, text)
  const anew = { headers: { 'cache-control': 'no-cache' } }
  const { min, max } = await priceOf(opened, text, anew)
  const { credits } = await ask(opened, text, anew)
  expect(credits.spent).toBe(1)
  expect([min <= 1, max >= 1]).toEqual([true, true])
})

test('artists who are held alone, past their freshness, are asked for anew in one request, which has its price', async () => {
  const { tracks, advance } = await open()
  await tracks(2)
  await tracks(7)
  expect((await tracks(2, 7)).sent).toEqual([])
  advance(6 * HOUR + 60_000)
  expect(await tracks(2, 7)).toEqual({ names: namesOf(2, 7), errors: [], sent: [[2, 7]] })
})

const openRefusing = (refused: readonly number[], status = 400) =>
  open((artistIds) => (artistIds.some((id) => refused.includes(id)) ? { status } : undefined))

test('an artist who was refused before is refused beside others, whose request is without him', async () => {
  const { tracks } = await openRefusing([7])
  await tracks(7)
  for (const sent of [[[2, 5]], []]) {
    const { names, errors, sent: requests } = await tracks(7, 2, 5)
    expect(names).toEqual([undefined, ...namesOf(2, 5)])
    expect(errors.map(({ path }) => path)).toEqual([['artists', 0, 'tracks']])
    expect(requests).toEqual(sent)
  }
  expect((await tracks(7, 9)).sent).toEqual([[9]])
  expect((await tracks(7, 4, 9, 8)).sent).toEqual([[4, 8, 9]])
})

test('an artist whom the service does not have is left out of what others share', async () => {
  const { tracks } = await openRefusing([7], 404)
  await tracks(7)
  for (const sent of [[[2, 5]], []]) {
    const { names, errors, sent: requests } = await tracks(7, 2, 5)
    expect([names, errors]).toEqual([[[], ...namesOf(2, 5)], []])
    expect(requests).toEqual(sent)
  }
  expect((await tracks(7, 9)).sent).toEqual([[9]])
})

test('one who is refused for the first time is lost alone also beside one who was before', async () => {
  const { tracks } = await openRefusing([7, 8])
  await tracks(7)
  const { names, sent } = await tracks(7, 2, 8, 5)
  expect(names).toEqual([undefined, ...namesOf(2), undefined, ...namesOf(5)])
  expect(sent[0]).toEqual([2, 5, 8])
  expect(sent.slice(1).sort()).toEqual([[2], [5], [8]])
  expect((await tracks(7, 2, 8, 5)).sent).toEqual([])
})

test('where all were refused before, nothing is sent', async () => {
  const { tracks } = await openRefusing([7, 8])
  await tracks(7)
  await tracks(8)
  const { names, sent } = await tracks(7, 8)
  expect([names, sent]).toEqual([[undefined, undefined], []])
})

test('a shared window that is held serves its artists, also when one of them comes to be refused', async () => {
  const refused: number[] = []
  const { tracks, opened } = await openRefusing(refused)
  await tracks(2, 7, 9)
  refused.push(7)
  const anew = { 'cache-control': 'no-cache' }
  await opened.query('{ artist(cmId: 7) { tracks(first: 1) { nodes { score } } } }', {}, anew)
  expect(opened.upstream.requests).toHaveLength(2)
  expect(await tracks(2, 7, 9)).toEqual({ names: namesOf(2, 7, 9), errors: [], sent: [] })
})

test('where what the last run needed is refused by now, what is sent in its place has its price', async () => {
  const refused: number[] = []
  const { tracks, opened } = await openRefusing(refused, 403)
  await tracks(2, 7, 9)
  refused.push(7)
  const text = '{ artists(cmIds: [9, 7, 2]) { tracks(first: 1) { nodes { score } } } }'
  await ask(opened, text, { headers: { 'cache-control': 'no-cache' } })
  await tracks(7)
  const { names, sent } = await tracks(2, 7, 9)
  expect([names, sent]).toEqual([[...namesOf(2), undefined, ...namesOf(9)], [[2, 9]]])
})
