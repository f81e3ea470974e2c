import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createDisk } from '../src/upstream/disk.ts'
import { openRun } from './support/run.ts'

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

test('its bytes are bounded, the oldest going first', async () => {
  const disk = createDisk(await folderOf(), 100_000)
  open.push(disk)
  for (let at = 1; at <= 300; at++) disk.put(`key ${at}`, { at, text: 'x'.repeat(1000) })
  await disk.settle()
  const held = Array.from({ length: 300 }, (_, at) => disk.get(`key ${at + 1}`)).filter(Boolean)
  expect(held.length).toBeLessThanOrEqual(100)
  expect(held.length).toBeGreaterThanOrEqual(80)
  expect(disk.get('key 300')).toMatchObject({ at: 300 })
  expect(disk.get('key 1')).toBeUndefined()
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
  disk.put('new', { at: 1, text: 'fine' })
  await disk.settle()
  expect(disk.get('new')).toMatchObject({ at: 1, text: 'fine' })
})
