import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDisk } from '../../src/upstream/disk.ts'
import { createDrift } from '../../src/upstream/drift.ts'
import { artist } from '../../src/upstream/endpoints/artist.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { createFacts } from '../../src/upstream/facts.ts'
import { createHoldings } from '../../src/upstream/holdings.ts'
import { createPacking } from '../../src/upstream/packed.ts'
import { request } from '../../src/upstream/request.ts'
import { createMemoryShelf } from '../../src/upstream/shelf.ts'

test('what was bought by another replica, or before a restart, is let go at the end of its turn like what is bought', async () => {
  const disk = createDisk(await mkdtemp(join(tmpdir(), 'refrain-')), 1_000_000)
  const shelf = createMemoryShelf(1_000_000)
  const facts = createFacts(shelf, 10_000)
  const clock = { now: () => 1000, sleep: async () => undefined }
  const packed = createPacking(100_000)
  const parts = { shelf, disk, facts, packed, clock, drift: createDrift(), registry: endpoints }
  const holdings = createHoldings(parts)
  const asked = (cmId: number) => request(artist, { cmId })
  const came = (id: number) => ({ status: 200, at: 1, text: JSON.stringify({ obj: { id } }) })
  const { key, args } = asked(6)
  const life = { freshUntil: 9000, usableUntil: 9000 }
  disk.put({ key, endpoint: artist.name, args, ...came(6) }, life, [])
  await disk.settle()
  const received = holdings.reread(asked(5), came(5))
  if (received !== undefined) holdings.receive(asked(5), received)
  for (const cmId of [5, 6]) {
    const found = holdings.find(asked(cmId))?.content.value
    expect(found?.cmId).toBe(cmId)
    await turn()
    const again = holdings.find(asked(cmId))?.content.value
    expect(again).not.toBe(found)
    expect(again?.cmId).toBe(cmId)
  }
  await disk.close()
})
