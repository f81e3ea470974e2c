import { afterAll, beforeAll, expect, it } from 'vitest'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { openSandbox } from './open.ts'

let sandbox: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

/** Reads every column of everything: rows are read only where they are looked at. */
const readAll = (value: unknown, depth = 0): number => {
  if (typeof value !== 'object' || value === null || depth > 9) return 1
  let read = 0
  for (const name in value) read += readAll(Reflect.get(value, name), depth + 1)
  return read
}

const CHART = 'latest=true&offset=0'

it.each([
  ['artist', '/api/artist/2'],
  ['track', '/api/track/0'],
  ['album', '/api/album/0'],
  ['artistsByStat', '/api/artist/sp_followers/list?min=0&max=99999999999&limit=200'],
  ['playlistsPlatB', '/api/playlist/platB/lists?limit=200'],
  ['playlistsPlatC', '/api/playlist/platC/lists?limit=200'],
  ['platAArtistChart', `/api/charts/platA/artists?${CHART}&type=followers&interval=daily`],
  ['platBChart', '/api/charts/platB?latest=true&country_code=US'],
  ['platDTrackChart', `/api/charts/platD/tracks?${CHART}&limit=100`],
  ['platEChart', `/api/charts/platE?${CHART}&country_code=GLOBAL&kind=top&genre=latin&raw=false`],
  ['platFChart', `/api/charts/platF?${CHART}&genre=techno`],
  ['platGChart', `/api/charts/platG?${CHART}&country_code=US`],
  ['platUChart', '/api/charts/platU?latest=true'],
  [
    'tracksByFilter',
    '/api/track/list/filter?limit=200&range_period=weekly_diff&min_platA_plays=-9',
  ],
  ['venues', '/api/venue?limit=100'],
  ['venueEvents', '/api/event/venue/5?limit=100'],
  ['festivals', '/api/festival/list?limit=400'],
  ['radioStations', '/api/radio/station-list'],
  ['artistEvents', '/api/artist/5/past/events?fromDaysAgo=4000&toDaysAgo=0&limit=100'],
  ['search', '/api/search?q=a&limit=100'],
  ['suggestions', '/api/search?q=a&limit=100&beta=true'],
] as const)('the gateway reads every member of %s without drift', async (name, path) => {
  const body = JSON.parse((await sandbox.get(path)).text)
  const notes: string[] = []
  const opened = endpoints[name].open(body, { note: (at) => notes.push(at) })
  expect(readAll(opened)).toBeGreaterThan(10)
  expect([...new Set(notes)]).toEqual([])
})
