import { expect, it } from 'vitest'
import { createLedger } from '../../src/credits/ledger.ts'

it('tells what it counted by endpoint, then by field, each in the order of first use', async () => {
  const ledger = createLedger()
  ledger.save('cache', 1, 'artist', 'Query.artist')
  const { refund } = await ledger.charge(1, 'chart', 'Charts.platB')
  ledger.save('merged', 1, 'artist', 'Artist.name')
  await ledger.charge(2, 'track', 'Query.track')
  ledger.save('hydrated', 3, 'artist', 'Query.artist')
  ledger.save('cache', 1, 'artist', 'Artist.name')
  refund()
  expect(ledger.lines).toEqual([
    { endpoint: 'artist', field: 'Query.artist', state: 'cache', credits: 1 },
    { endpoint: 'artist', field: 'Query.artist', state: 'hydrated', credits: 3 },
    { endpoint: 'artist', field: 'Artist.name', state: 'merged', credits: 1 },
    { endpoint: 'artist', field: 'Artist.name', state: 'cache', credits: 1 },
    { endpoint: 'track', field: 'Query.track', state: 'sent', credits: 2 },
  ])
  expect(ledger.entries).toEqual([
    { endpoint: 'artist', state: 'cache', credits: 2 },
    { endpoint: 'artist', state: 'hydrated', credits: 3 },
    { endpoint: 'artist', state: 'merged', credits: 1 },
    { endpoint: 'track', state: 'sent', credits: 2 },
  ])
})
