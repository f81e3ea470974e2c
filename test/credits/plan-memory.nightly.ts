import { expect, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { heapInMb } from '../support/heap.ts'

test('what is kept of plans is bounded, however many entities clients ask the price of', async () => {
  const { query, gateway } = openGateway('http://127.0.0.1:9')
  const before = heapInMb()
  for (let at = 0; at < 500; at++) {
    const of = Array.from({ length: 1000 }, (_, number) => ({
      __typename: 'Artist',
      cmId: 2 + 1000 * at + number,
    }))
    const text = `query Q${at % 5}($of: [_Any!]!) { _entities(representations: $of) { ... on Artist { score } } }`
    await query(text, { of }, { 'x-credits-plan': 'only', 'x-credits-limit': '1000' })
  }
  expect(heapInMb() - before).toBeLessThan(80)
  await gateway.close()
})
