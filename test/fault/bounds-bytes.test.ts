import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createLedger } from '../../src/credits/ledger.ts'
import { createHttp } from '../../src/upstream/transport/http.ts'
import { sending } from '../../src/upstream/transport/step.ts'
import { figure } from '../support/figure.ts'
import { createOrigin } from '../upstream/transport/origin.ts'

const MB = 1024 * 1024

test('§2.7: eight answers of 15 MB at once all arrive, and never more than 48 MB of them are held, 64 with what is unpacked', async () => {
  const body = Buffer.alloc(15 * MB, 0x20)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const origin = await createOrigin(async (_request, response) => {
    response.write(body.subarray(1))
    await released
    response.end(body.subarray(0, 1))
  })
  onTestFinished(() => origin.close())
  const http = createHttp({ baseUrl: origin.url, concurrency: 8, timeoutMs: 60_000 }, systemClock)
  onTestFinished(() => http.close())
  const send = sending(http.send)
  let most = 0
  let over = false
  const watch = () => {
    most = Math.max(most, http.bodyBytes)
    if (!over) setImmediate(watch)
  }
  watch()
  const request = { method: 'GET', path: '/api/track/5', credits: 1, endpoint: 'track' } as const
  const caller = { ledger: createLedger(), deadline: systemClock.now() + 60_000 }
  const sent = Promise.all(Array.from({ length: 8 }, () => send(request, caller)))
  await vi.waitFor(() => expect(most).toBeGreaterThan(32 * MB), 15_000)
  release()
  const answers = await sent
  over = true
  figure('§2.7', `${(most / MB).toFixed(1)} MB of 120 held at once`)
  expect(answers.map(({ text }) => text.length)).toEqual(Array(8).fill(15 * MB))
  // A chunk that is on its way when the bound is reached is taken: one for each connection.
  expect(most).toBeLessThanOrEqual(48 * MB + 8 * 131_072)
  expect(http.bodyBytes).toBe(0)
})
