import { expect, onTestFinished, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Seen } from '../support/script.ts'

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8]
const CHART = PLACES.map((place) => ({
  id: String(place),
  name: `Track ${place}`,
  isrc: `USUM7100000${place}`,
  rank: place,
  cm_track: place + 100,
  cm_artist: [place + 10],
  artist_names: [`Artist ${place}`],
}))

const said = ({ path, query, body }: Seen) => {
  if (path.includes('/charts/')) return { obj: { length: CHART.length, data: CHART } }
  if (path.endsWith('/filter')) {
    const obj = query
      .filter(([name]) => name === 'artists[]')
      .map(([, id]) => ({
        cm_track: 500,
        name: 'Track',
        artist: [{ id: Number(id), name: 'One' }],
      }))
    return { obj, offset: 0, total: obj.length }
  }
  if (path.endsWith('estimates'))
    return {
      obj: JSON.parse(body).ids.map((id: number) => ({ cm_track: id, status: 'available' })),
    }
  const id = Number(path.split('/').at(-1))
  return { obj: { id, name: `Name ${id}`, cm_artist_rank: 7, duration_ms: 1000 } }
}

/** What a limit of four credits, one of them for the chart, is spent on. */
const spentOn = async (row: string): Promise<string[]> => {
  const opened = await openScripted((seen) => ({ body: said(seen) }))
  onTestFinished(() => opened.close())
  const text = `{ charts { platB(countryCode: "US", first: 8) { nodes { ${row} } } } }`
  await opened.query(text, {}, { 'x-credits-limit': '4' })
  return opened.upstream.requests.map(
    ({ path }) =>
      path
        .replace(/\/\d+$/, '')
        .split('/')
        .at(-1) ?? '',
  )
}

const LOW = '@credits(priority: LOW)'
const HIGH = '@credits(priority: HIGH)'

test.each([
  [
    'estimates',
    'playlist-stream-estimates',
    'track',
    (rank: string) => `streamEstimates ${rank} { status }`,
  ],
  [
    'first tracks',
    'filter',
    'artists',
    (rank: string) => `tracks(first: 1) ${rank} { nodes { score } }`,
  ],
])(
  '%s of one request yield as late as the last of those who ask for them',
  async (_, endpoint, thing, field) => {
    const records = thing === 'track' ? 'durationMs' : 'rank'
    const both = await spentOn(`${thing} { a: ${field(LOW)} b: ${field(HIGH)} ${records} }`)
    expect(both).toHaveLength(4)
    expect(both[1]).toBe(endpoint)
    expect(
      await spentOn(`${thing} { a: ${field(LOW)} b: ${field(LOW)} ${records} }`),
    ).not.toContain(endpoint)
  },
)

test.each([
  ['the same field', `artists { description ${LOW} rank ${HIGH} } track { durationMs }`],
  [
    'another',
    `artists { description ${LOW} } track { durationMs } again: artists { rank ${HIGH} }`,
  ],
  ['one without a rank', `track { durationMs ${LOW} } artists { description ${LOW} rank }`],
])('a record that yields soon is lifted by %s of who asks for it too', async (_, row) => {
  expect(await spentOn(row)).toEqual(['platB', 'artist', 'artist', 'artist'])
})

test('a page that yields soon is lifted by a field that asks for the same', async () => {
  const opened = await openScripted((seen) => ({ body: said(seen) }))
  onTestFinished(() => opened.close())
  const page = (rank: string) => `tracksByStat(first: 1) ${rank} { nodes { score } }`
  const text = `{ a: ${page(LOW)} b: ${page(HIGH)} artist(cmId: 11) { rank } }`
  await opened.query(text, {}, { 'x-credits-limit': '2' })
  expect(opened.upstream.requests.map(({ path }) => path)).toEqual([
    '/api/track/list/filter',
    '/api/artist/11',
  ])
})
