import { expect, onTestFinished, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { openScript, type Scripted } from '../support/script.ts'
import { ask, DAY, handClock, priceOf } from './ask.ts'

/** A service that has an artist's record, and refuses it from the ninth day on; what is ready of it is never enough. */
const outlived = async () => {
  const { clock, advance } = handClock('2026-03-10T12:00:00Z')
  let refusal: Scripted | undefined
  let refused = () => {}
  const isRefused = new Promise<void>((resolve) => {
    refused = resolve
  })
  const upstream = await openScript(async ({ headers }) => {
    if (headers['x-accept-partial-data'] !== undefined) {
      await isRefused
      return { status: 406 }
    }
    if (refusal !== undefined) setTimeout(refused, 20)
    return refusal ?? { body: { obj: { id: 5, cm_artist_rank: 9 } } }
  })
  const opened = openGateway(upstream.url, {}, { clock })
  onTestFinished(async () => {
    await opened.gateway.close()
    await upstream.close()
  })
  await ask(opened, '{ artist(cmId: 5) { rank } }')
  advance(9 * DAY)
  refusal = { status: 400 }
  return { opened, upstream }
}

test('a refusal in place of what nobody may be given any more is remembered like any other', async () => {
  const { opened, upstream } = await outlived()
  const text = '{ artist(cmId: 5) { rank } }'
  for (const spent of [1, 0, 0]) {
    const { min, max } = await priceOf(opened, text)
    const { errors, credits } = await ask(opened, text)
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_REJECTED' } }])
    expect([min, max, credits.spent]).toEqual([spent, spent, spent])
  }
  expect(upstream.requests).toHaveLength(2)
})

test('it is not asked for twice within one operation either, which would cost more than its price', async () => {
  const { opened, upstream } = await outlived()
  const text = '{ artist(cmId: 5) { rank } partial: artist(cmId: 5, allowPartial: true) { rank } }'
  const { max } = await priceOf(opened, text)
  const { errors, credits } = await ask(opened, text)
  expect(errors).toHaveLength(2)
  expect([credits.spent, upstream.requests.length - 1]).toEqual([2, 2])
  expect(max).toBe(2)
})
