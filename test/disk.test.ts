import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open as openStore } from 'lmdb'
import { afterEach, expect, test, vi } from 'vitest'
import { createDisk } from '../src/upstream/disk.ts'
import { createWriting } from '../src/upstream/writing.ts'
import { ask, HOUR, handClock, priceOf } from './credits/ask.ts'
import { openGateway } from './support/gateway.ts'
import { nextMoment } from './support/moment.ts'
import { openRun } from './support/run.ts'
import { openScript } from './support/script.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})
const folderOf = () => mkdtemp(join(tmpdir(), 'refrain-'))

test('what was paid for survives a restart', async () => {
  const folder = await folderOf()
  const text =
    '{ artist(cmId: 5) { name rank } charts { platB(countryCode: "US") { nodes { rank track { isrc } } } } }'
  const sandbox = { rotation: 'none' } as const
  const first = await openRun({ env: { STATE_DIR: folder }, sandbox })
  const bought = await first.query(text)
  expect(bought.credits.spent).toBe(2)
  await first.close()
  const second = await openRun({ env: { STATE_DIR: folder }, sandbox })
  open.push(second)
  const held = await second.query(text)
  expect(held.data).toEqual(bought.data)
  expect(held.credits.spent).toBe(0)
  expect(second.meter.requests).toHaveLength(0)
})

/** An answer as it lies on the disk. */
const stored = (key: string, at: number, text: string) => ({
  key,
  endpoint: 'artist',
  args: {},
  at,
  status: 200,
  text,
})
const until = (freshUntil: number) => ({ freshUntil, usableUntil: freshUntil })

test('the bytes that it takes on the disk are bounded, the oldest going first', async () => {
  const folder = await folderOf()
  const disk = createDisk(folder, 1_000_000)
  open.push(disk)
  for (let at = 1; at <= 300; at++) {
    // Random, so that nothing is gained by packing it, and two bytes to some of the letters.
    disk.put(stored(`key ${at}`, at, `é${randomBytes(6000).toString('base64')}`), until(at), [])
    if (at % 20 === 0) await disk.settle()
  }
  await disk.settle()
  const held = Array.from({ length: 300 }, (_, at) => disk.get(`key ${at + 1}`) !== undefined)
  const first = held.indexOf(true)
  expect(held.slice(first)).toEqual(held.slice(first).fill(true))
  expect(300 - first).toBeGreaterThan(60)
  const { size } = await stat(join(folder, 'answers'))
  expect(size).toBeLessThan(1_400_000)
})

test('an answer that is put twice is there once, and what it told before is gone', async () => {
  const disk = createDisk(await folderOf(), 1_000_000)
  open.push(disk)
  const artist = (columns: string[]) => [{ thing: 'artist:5', columns }]
  disk.put(stored('key', 1, 'old'), until(10), artist(['name']))
  await disk.settle()
  expect(disk.about('artist:5')).toEqual([{ key: 'key', at: 1, freshUntil: 10, columns: ['name'] }])
  disk.put(stored('key', 2, 'new'), until(Number.POSITIVE_INFINITY), artist(['isni']))
  disk.put(stored('other', 3, 'other'), until(10), artist(['name', 'isni']))
  disk.put(stored('another', 4, 'another'), until(10), [{ thing: 'artist:50', columns: ['name'] }])
  await disk.settle()
  expect(disk.get('key')).toMatchObject({ at: 2, text: 'new' })
  expect(disk.about('artist:5').map(({ key, columns }) => [key, columns])).toEqual([
    ['other', ['name', 'isni']],
    ['key', ['isni']],
  ])
  expect(disk.about('artist:5')[1]?.freshUntil).toBe(Number.POSITIVE_INFINITY)
})

const twice = async (
  first: string,
  second: string,
  options: Parameters<typeof openRun>[0] = {},
) => {
  const env = { STATE_DIR: await folderOf(), ...options.env }
  const before = await openRun({ ...options, env })
  const bought = await ask(before, first)
  await before.close()
  const after = await openRun({ ...options, env })
  open.push(after)
  const plan = await priceOf(after, second)
  const held = await ask(after, second)
  return { bought, plan, held, after }
}
const sandbox = { rotation: 'none', flawedRows: false } as const

test('a chart day that is known through the latest only is known after a restart', async () => {
  const { clock } = handClock('2026-03-10T12:00:00Z')
  const chart = (edition: string) =>
    `{ charts { platB(countryCode: "US"${edition}) { nodes { rank rankHistory { date } } } } }`
  const dated = chart(', date: "2026-03-09"')
  const { bought, plan, held } = await twice(chart(''), dated, { clock, sandbox })
  expect(bought.credits.spent).toBe(1)
  expect([plan.min, plan.max]).toEqual([0, 0])
  expect(held.data).toEqual(bought.data)
  expect(held.credits).toMatchObject({ spent: 0, savedBy: { cache: 1 } })
})

test('a name that only a stored row tells is known after a restart, as long as its answer is fresh', async () => {
  const { clock, advance } = handClock('2026-03-10T12:00:00Z')
  const search = '{ search(query: "river") { artists { nodes { cmId name } } } }'
  const { bought, held, after } = await twice(search, '{ credits { spent } }', { clock, sandbox })
  expect([bought.credits.spent, held.credits.spent]).toEqual([1, 0])
  const [{ cmId, name }] = bought.data.search.artists.nodes
  const artist = `{ artist(cmId: ${cmId}) { cmId name } }`
  expect(await priceOf(after, artist)).toMatchObject({ min: 0, max: 0 })
  const told = await ask(after, artist)
  expect(told.data).toEqual({ artist: { cmId, name } })
  expect(told.credits).toMatchObject({ spent: 0, savedBy: { cache: 1 } })
  expect(after.meter.requests).toHaveLength(0)
  advance(11 * 60_000)
  expect(await priceOf(after, artist)).toMatchObject({ min: 1, max: 1 })
  expect((await ask(after, artist)).credits.spent).toBe(1)
})

const named = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: 1000 + at, name: `Artist ${at}` }))

test.each([
  ['more rows than are looked at are newer and do not tell it', [2, 3, 4], 0],
  ['so much was told since that its row is forgotten', [1, 2], 300],
])('a picture that only a stored row tells is known where %s', async (_, ids, others) => {
  const image_url = 'https://img.example/5.jpg'
  const upstream = await openScript(({ path }) => {
    const [, id] = /^\/api\/track\/(\d+)$/.exec(path) ?? []
    if (id === undefined) return { status: 500 }
    const artist = id === '1' ? { id: 5, name: 'Five', image_url } : { id: 5, name: 'Five' }
    const artists = id === '2' ? [...named(others), artist] : [artist]
    return { body: { obj: { id: Number(id), name: `Track ${id}`, artists } } }
  })
  open.push(upstream)
  const env = { STATE_DIR: await folderOf(), CACHE_MAX_MB: '1' }
  const track = (id: number) => `{ track(cmId: ${id}) { durationMs } }`
  const first = openGateway(upstream.url, env)
  await ask(first, track(1))
  await first.gateway.close()
  const { gateway } = openGateway(upstream.url, env)
  open.push(gateway)
  for (const id of ids) {
    await nextMoment()
    await ask({ gateway }, track(id))
  }
  const text = '{ artist(cmId: 5) { imageUrl } again: artist(cmId: 5) { imageUrl } }'
  expect(await priceOf({ gateway }, text)).toMatchObject({ min: 0, max: 0 })
  const { data, errors, credits } = await ask({ gateway }, text)
  expect(errors).toEqual([])
  expect(data.artist).toEqual({ imageUrl: image_url })
  expect(data.again).toEqual(data.artist)
  expect(credits.spent).toBe(0)
})

test('an estimate that came with others is known alone after a restart', async () => {
  const estimates = (ids: string) => `{ streamEstimates(trackCmIds: [${ids}]) { status } }`
  const { bought, held } = await twice(estimates('5, 6, 7'), estimates('6'), { sandbox })
  expect(held.data.streamEstimates).toEqual([bought.data.streamEstimates[1]])
  expect(held.credits).toMatchObject({ spent: 0, savedBy: { cache: 1 } })
})

test('a price takes nothing from the disk into memory', async () => {
  const text = '{ artist(cmId: 5) { rank } }'
  const env = { STATE_DIR: await folderOf() }
  const first = await openRun({ env, sandbox })
  await ask(first, text)
  await first.close()
  const second = await openRun({ env, sandbox })
  open.push(second)
  const inMemory = () => second.gateway.health().cacheBytes
  expect((await priceOf(second, text)).max).toBe(0)
  expect(inMemory()).toBe(0)
  expect((await ask(second, text)).credits.spent).toBe(0)
  expect(inMemory()).toBeGreaterThan(0)
})

test('what the service no longer has is gone from the disk too', async () => {
  const { clock, advance } = handClock('2026-03-10T12:00:00Z')
  const env = { STATE_DIR: await folderOf() }
  const text = '{ artist(cmId: 5) { rank } }'
  const first = await openRun({ env, sandbox, clock })
  expect((await ask(first, text)).data.artist).not.toBeNull()
  advance(24 * HOUR)
  first.sandbox.faults.inject('artist', { status: 404 })
  expect((await ask(first, text)).data.artist).toBeNull()
  await first.close()
  const second = await openRun({ env, sandbox, clock })
  open.push(second)
  second.sandbox.faults.inject('artist', { status: 500 })
  const { data, errors } = await ask(second, text)
  expect([data.artist, errors]).toEqual([null, []])
})

test('a process killed while it writes leaves a store that opens, and no broken answer', async () => {
  const folder = await folderOf()
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { open } from 'lmdb'
     const db = open({ path: ${JSON.stringify(join(folder, 'answers'))}, compression: true })
     const entries = db.openDB({ name: 'entries' })
     console.log('ready')
     for (let at = 0; ; at++) { entries.put('k' + (at % 500), { at, text: 'x'.repeat(5000), sum: 0 }); if (at % 50 === 0) await new Promise(setImmediate) }`,
  ])
  await new Promise((resolve) => child.stdout.once('data', resolve))
  await new Promise((resolve) => setTimeout(resolve, 200))
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  const disk = createDisk(folder, 1_000_000)
  open.push(disk)
  disk.put(stored('new', 1, 'fine'), until(1), [])
  await disk.settle()
  expect(disk.get('new')).toMatchObject({ at: 1, text: 'fine' })
})

test('the service\'s "no" survives a restart, as long as it is believed', async () => {
  const { clock, advance } = handClock('2026-03-10T12:00:00Z')
  const env = { STATE_DIR: await folderOf() }
  const refused = '{ artist(cmId: 5) { premium { platNAudienceStats } } track(cmId: 7) { name } }'
  const absent = '{ track(cmId: 2147483000) { name } }'
  const started = async () => {
    const opened = await openRun({ clock, env, sandbox })
    opened.sandbox.faults.inject('artistPlatNAudienceStats', { status: 403 })
    opened.sandbox.faults.inject('track', { status: 403 })
    return opened
  }
  const first = await started()
  expect((await ask(first, refused)).credits.spent).toBe(3)
  await first.close()

  const second = await started()
  const other = '{ artist(cmId: 6) { premium { platNAudienceStats } } track(cmId: 7) { name } }'
  expect(await priceOf(second, other)).toMatchObject({ min: 0, max: 0 })
  const { errors, credits } = await ask(second, other)
  expect(errors.map(({ extensions }) => extensions.code)).toEqual([
    'UPSTREAM_FORBIDDEN',
    'UPSTREAM_FORBIDDEN',
  ])
  expect(credits.spent).toBe(0)
  advance(11 * 60_000)
  expect((await ask(second, other)).credits.spent).toBe(3)
  expect(second.meter.credits).toBe(3)
  await second.close()

  const third = await openRun({ clock, env, sandbox })
  expect((await ask(third, absent)).credits.spent).toBe(1)
  await third.close()
  const fourth = await openRun({ clock, env, sandbox })
  open.push(fourth)
  expect((await ask(fourth, absent)).data).toEqual({ track: null })
  expect(fourth.meter.requests).toHaveLength(0)
  advance(4 * 60_000)
  expect((await ask(fourth, absent)).credits.spent).toBe(1)
})

test('an answer that was changed on the disk is none: it is asked for anew', async () => {
  const folder = await folderOf()
  const env = { STATE_DIR: folder }
  const text = '{ artist(cmId: 5) { name } }'
  const first = await openRun({ env, sandbox })
  const bought = await ask(first, text)
  await first.close()
  const root = openStore({ path: join(folder, 'answers'), compression: true })
  const entries = root.openDB<{ text: string }, string>({ name: 'entries' })
  const all = [...entries.getRange()]
  expect(all).toHaveLength(1)
  for (const { key, value } of all)
    await entries.put(key, { ...value, text: value.text.replace('"name":"', '"name":"Not ') })
  await root.close()
  const second = await openRun({ env, sandbox })
  open.push(second)
  const { data, credits } = await ask(second, text)
  expect(data).toEqual(bought.data)
  expect(credits.spent).toBe(1)
})

test('a write that failed is known, though the store never tells what it was', async () => {
  const commitError = new Promise(() => undefined)
  const failure = Object.assign(new Error('Commit failed'), { commitError })
  const told: string[] = []
  const writing = createWriting({ batch: () => Promise.reject(failure) }, 'state', (text) =>
    told.push(text),
  )
  expect(writing.mayPut(1000)).toBe(true)
  writing.write(() => undefined)
  writing.write(() => undefined)
  await vi.waitFor(() => expect(told).toHaveLength(1), 15_000)
  expect(told[0]).toMatch(/^Answers cannot be written to state, .*Commit failed/)
  expect([writing.isWritten, writing.mayPut(60_999), writing.mayPut(61_000)]).toEqual([
    false,
    false,
    true,
  ])
})
