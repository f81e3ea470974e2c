import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { answer } from '../../src/upstream/answer.ts'
import { artist } from '../../src/upstream/endpoints/artist.ts'
import { track } from '../../src/upstream/endpoints/track.ts'
import { createFacts } from '../../src/upstream/facts.ts'
import { request } from '../../src/upstream/request.ts'
import { createMemoryShelf } from '../../src/upstream/shelf.ts'
import { openGateway } from '../support/gateway.ts'
import { collect } from '../support/heap.ts'
import { nextMoment } from '../support/moment.ts'
import { openScript } from '../support/script.ts'

const COUNTRIES = ['US', 'GB', 'DE', 'FR', 'IT', 'ES', 'NL', 'SE']
const WIDTH = 200
const LONG = 'of the long tide '.repeat(25)

const rowsOf = (country: string) =>
  Array.from({ length: WIDTH }, (_, at) => {
    const id = COUNTRIES.indexOf(country) * WIDTH + at + 1
    return {
      id: `r-${id}`,
      cm_track: id,
      isrc: `ZZA01${1_000_000 + id}`,
      name: `${id} ${LONG}`,
      rank: at + 1,
    }
  })

test('what a window told stays known when the window is no longer parsed', async () => {
  const upstream = await openScript(({ path, query }) => {
    if (!path.includes('/charts/')) return { status: 500 }
    const data = rowsOf(new Map(query).get('country_code') ?? '')
    return { body: { obj: { length: data.length, data } } }
  })
  // Sixteen such windows are held, and three of them are open.
  const { gateway, query } = openGateway(upstream.url, { CACHE_MAX_MB: '10' })
  try {
    for (const country of COUNTRIES) {
      const { data, errors } = await query(
        `{ charts { platB(countryCode: "${country}") { totalCount } } }`,
      )
      expect(errors).toEqual([])
      expect(data.charts.platB.totalCount).toBe(WIDTH)
    }
    await turn()
    collect()
    const tracks = Array.from({ length: COUNTRIES.length * WIDTH }, (_, at) => at + 1)
    const { data, errors, credits } = await query(
      `{ tracks(cmIds: [${tracks.filter((id) => id % 20 === 0)}]) { cmId isrc } }`,
    )
    expect(errors).toEqual([])
    expect(credits).toMatchObject({ spent: 0 })
    expect(data.tracks).toEqual(
      tracks
        .filter((id) => id % 20 === 0)
        .map((cmId) => ({ cmId, isrc: `ZZA01${1_000_000 + cmId}` })),
    )
    expect(upstream.requests.filter(({ path }) => path.includes('/charts/'))).toHaveLength(
      COUNTRIES.length,
    )
  } finally {
    await gateway.close()
    await upstream.close()
  }
})

test('of two rows that tell of a thing the newer counts, also where the older one is looked through last', async () => {
  const newest = { id: 'r-1', cm_track: 1, isrc: 'ZZA019999999', name: '1', rank: 1 }
  const upstream = await openScript(({ path, query }) => {
    if (!path.includes('/charts/')) return { status: 500 }
    const isWide = new Map(query).get('country_code') === 'US'
    const data = isWide ? rowsOf('US') : [newest]
    return { body: { obj: { length: data.length, data } } }
  })
  const { gateway, query } = openGateway(upstream.url)
  try {
    for (const country of ['US', 'GB']) {
      await query(`{ charts { platB(countryCode: "${country}") { totalCount } } }`)
      await nextMoment()
    }
    const { data, credits } = await query('{ track(cmId: 1) { isrc } }')
    expect(credits).toMatchObject({ spent: 0 })
    expect(data.track).toEqual({ isrc: newest.isrc })
  } finally {
    await gateway.close()
    await upstream.close()
  }
})

test('windows that tell in turn, more of them than are parsed, are not parsed for each thing anew', async () => {
  const upstream = await openScript(({ query }) => {
    const data = rowsOf(new Map(query).get('country_code') ?? '')
    return { body: { obj: { length: data.length, data } } }
  })
  onTestFinished(() => upstream.close())
  const { gateway, query } = openGateway(upstream.url, { CACHE_MAX_MB: '10' })
  onTestFinished(() => gateway.close())
  for (const country of COUNTRIES)
    await query(`{ charts { platB(countryCode: "${country}") { totalCount } } }`)
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const tracks = Array.from({ length: COUNTRIES.length * WIDTH }, (_, at) => {
    const row = Math.floor(at / COUNTRIES.length)
    return (at % COUNTRIES.length) * WIDTH + row + 1
  }).slice(0, 800)
  const { data, credits } = await query(`{ tracks(cmIds: [${tracks}]) { cmId isrc } }`)
  expect(credits).toMatchObject({ spent: 0 })
  expect(data.tracks).toHaveLength(tracks.length)
  const windows = parse.mock.calls.filter(([text]) => text.length > 50_000)
  // Each of them once, and once more for each time that the heap was cleared meanwhile.
  expect(windows.length).toBeLessThan(tracks.length / 4)
})

test('a look is as short where thousands of answers tell of a thing, or told of it, as where a few do', () => {
  const shelf = createMemoryShelf(100_000_000)
  const facts = createFacts(shelf, 10_000_000)
  const peek = vi.spyOn(shelf, 'peek')
  const looks = () => {
    peek.mockClear()
    const told = facts.about(artist.name, 5, () => true, 'name')
    return { row: told?.row, at: told?.answer.at, peeks: peek.mock.calls.length }
  }
  const bought = (cmId: number, at: number, name: string) => {
    const asked = request(track, { cmId })
    const text = JSON.stringify({ obj: { id: cmId, artists: [{ id: 5, name }] } })
    const came = answer(asked, { status: 200, headers: {}, text }, at, { note: () => undefined })
    shelf.put(came)
    return () => facts.learn(came)
  }
  for (let at = 1; at <= 4000; at++) bought(at, at, `as of ${at}`)()
  const newest = looks()
  expect(newest.row).toMatchObject({ name: 'as of 4000' })
  expect(newest.peeks).toBeLessThan(4)
  // All but the first are replaced by what nobody has told of.
  for (let cmId = 2; cmId <= 4000; cmId++) bought(cmId, 4000 + cmId, 'unheard')
  expect(looks()).toMatchObject({ row: { name: 'as of 1' } })
  expect(looks()).toMatchObject({ row: { name: 'as of 1' }, peeks: 1 })
})
