import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'

test('what a recording gateway redacts is redacted also where the answer is parsed again', async () => {
  const upstream = await openScript(() => ({
    body: { obj: { id: 7, name: 'Elías', description: 'Write to elias@label.example' } },
  }))
  onTestFinished(() => upstream.close())
  const folder = await mkdtemp(join(tmpdir(), 'refrain-'))
  const { gateway, query } = openGateway(
    upstream.url,
    {},
    { recordings: { folder, isClosed: false } },
  )
  onTestFinished(() => gateway.close())
  for (const alias of ['once', 'again']) {
    const { data, errors } = await query(`{ ${alias}: artist(cmId: 7) { name description } }`)
    expect(errors).toEqual([])
    expect(data[alias]).toEqual({ name: 'Elías', description: 'Write to [redacted]' })
    await turn()
  }
  expect(upstream.requests).toHaveLength(1)
})
