import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { openGateway } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'

const DAYS = 86_400_000

test.each([
  ['artist', 'id'],
  ['track', 'id'],
  ['album', 'cm_album'],
])('40: an answer about another %s is refused, and what is held stays', async (field, wire) => {
  let later = 0
  let id = 5
  const upstream = await openScript(() => ({ body: { obj: { [wire]: id, name: `Of ${id}` } } }))
  const clock = { ...systemClock, now: () => Date.now() + later }
  const { gateway, query } = openGateway(upstream.url, {}, { clock })
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  const ask = (cmId: number) => query(`{ ${field}(cmId: ${cmId}) { name } }`)
  await ask(5)
  const other = await ask(6)
  expect(other.data).toEqual({ [field]: null })
  expect(other.errors[0]?.extensions.code).toBe('UPSTREAM_BAD_RESPONSE')
  later = 2 * DAYS
  id = 666
  const { data, errors } = await ask(5)
  expect([data, errors]).toEqual([{ [field]: { name: 'Of 5' } }, []])
  expect(upstream.requests).toHaveLength(3)
})
