import { expect, onTestFinished, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { openScript, type Scripted, type Seen } from '../support/script.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const IDS = Array.from({ length: 20 }, (_, at) => at + 10)

const trackOf = (artistId: number) => ({
  cm_track: artistId + 1_000,
  name: `Track of ${artistId}`,
  artist: [{ id: artistId, name: `Artist ${artistId}` }],
  album: [],
})

/** A service that has each record wait until the test says so; all else it answers at once. */
const open = async (all: (seen: Seen) => readonly object[]) => {
  const held = new Map<number, () => void>()
  const service = await openScript((seen): Scripted | Promise<Scripted> => {
    const cmId = Number(/\/(?:artist|track|album)\/(\d+)$/.exec(seen.path)?.[1])
    if (Number.isNaN(cmId)) {
      const obj = all(seen)
      return { body: { obj, offset: 0, total: obj.length } }
    }
    const artists = [{ cm_artist: cmId + 500, id: cmId + 500, name: `Artist ${cmId + 500}` }]
    const body = { obj: { id: cmId, name: `Name ${cmId}`, artists } }
    return new Promise((resolve) => held.set(cmId, () => resolve({ body })))
  })
  const clock = createFakeClock(Date.parse('2026-03-10T06:00:00Z'))
  const { gateway, query } = openGateway(service.url, {}, { clock })
  onTestFinished(async () => {
    for (const release of held.values()) release()
    await gateway.close()
    await service.close()
  })
  const land = async (cmId: number) => {
    await expect.poll(() => held.has(cmId), { timeout: 10_000 }).toBe(true)
    held.get(cmId)?.()
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, query, land, service }
}

const artistsIn = ({ query }: Seen) =>
  query.filter(([name]) => name === 'artists[]').map(([, id]) => Number(id))
const TRACKS = `query ($ids: [Int!]!) {
  artists(cmIds: $ids) { name tracks(first: 1) { nodes { track { name } } } } }`

const tracksOf = (seen: Seen) => artistsIn(seen).map(trackOf)

test('tracks of artists whose records come one after the other are one request', async () => {
  const { query, land, service } = await open(tracksOf)
  const asked = query(TRACKS, { ids: IDS })
  for (const id of IDS) await land(id)
  const { data, errors, credits } = await asked
  expect(errors).toEqual([])
  expect(data.artists).toEqual(
    IDS.map((id) => ({
      name: `Name ${id}`,
      tracks: { nodes: [{ track: { name: `Track of ${id}` } }] },
    })),
  )
  expect(credits).toMatchObject({ spent: 21, savedBy: { batched: 19 } })
  expect(service.requests).toHaveLength(21)
})

test('so are those of artists whom other records name, one after the other', async () => {
  const { query, land, service } = await open(tracksOf)
  const asked = query(
    `query ($ids: [Int!]!) {
      albums(cmIds: $ids) { artists { cmId tracks(first: 1) { nodes { track { name } } } } } }`,
    { ids: IDS },
  )
  for (const id of IDS) await land(id)
  const { data, errors, credits } = await asked
  expect(errors).toEqual([])
  expect(data.albums).toEqual(
    IDS.map((id) => id + 500).map((cmId) => ({
      artists: [{ cmId, tracks: { nodes: [{ track: { name: `Track of ${cmId}` } }] } }],
    })),
  )
  expect(credits).toMatchObject({ spent: 21, savedBy: { batched: 19 } })
  expect(service.requests).toHaveLength(21)
})

test('a record that is long in coming holds up the tracks of others for a second', async () => {
  const { query, land, service, clock } = await open(tracksOf)
  const asked = query(TRACKS, { ids: [10, 11, 12] })
  await land(10)
  await land(11)
  await clock.pass(999)
  expect(service.requests.map(artistsIn)).toEqual([[], [], []])
  await clock.pass(1)
  await expect.poll(() => service.requests.length, { timeout: 10_000 }).toBe(4)
  expect(service.requests.map(artistsIn)).toEqual([[], [], [], [10, 11]])
  await land(12)
  expect(await asked).toMatchObject({ errors: [], credits: { spent: 5 } })
})

test('estimates of tracks whose records come one after the other are one request', async () => {
  const { query, land } = await open(({ body }) =>
    JSON.parse(body).ids.map((id: number) => ({ cm_track: id, status: 'not_found' })),
  )
  const asked = query(
    `query ($ids: [Int!]!) { tracks(cmIds: $ids) { name streamEstimates(date: "2026-01-02") { status } } }`,
    { ids: IDS },
  )
  for (const id of IDS) await land(id)
  const { data, errors, credits } = await asked
  expect(errors).toEqual([])
  expect(data.tracks).toHaveLength(20)
  expect(credits).toMatchObject({ savedBy: { batched: 19 } })
})
