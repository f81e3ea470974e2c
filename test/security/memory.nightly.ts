import { expect, test } from 'vitest'
import { distinctDocuments, hashesOfNothing, hashOf, openHolding } from './memory.ts'

test('59: a million hashes of nothing take no room, and a document is known by its own', async () => {
  const held = await openHolding()
  await hashesOfNothing(held, 500_000)
  const text = '{ artist(cmId: 5) { name } }'
  expect((await held.persisted(hashOf(text), text)).data).toEqual({ artist: { name: 'Ada' } })
  await held.close()
})

test('60: 100,000 distinct documents leave the cache of answers alone, and their own bounded', () =>
  distinctDocuments(50_000))

test('60: and so do 10,000 of 90 kB', () => distinctDocuments(5_000, 90_000))
