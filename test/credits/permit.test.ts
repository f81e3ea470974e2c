import { describe, expect, test } from 'vitest'
import { run } from '../support/run.ts'
import { ask, HOUR, handClock } from './ask.ts'

describe('10: a forbidden premium endpoint', () => {
  const VIDEOS = 'premium { platDTopVideos }'
  const artists = (from: number) =>
    `{ artists(cmIds: [${Array.from({ length: 20 }, (_, at) => at + from)}]) { cmId ${VIDEOS} } }`

  test('is paid for once per its memory, not once per row', async () => {
    const { clock, advance } = handClock('2026-03-10T12:00:00Z')
    const opened = await run({ clock })
    opened.sandbox.faults.inject('artistPlatDTopVideos', { status: 403 })
    const asked = () =>
      opened.meter.requests.filter(({ endpoint }) => endpoint === 'artistPlatDTopVideos').length
    const first = await ask(opened, `{ artist(cmId: 2) { ${VIDEOS} } }`)
    expect(first.credits.spent).toBe(2)
    const rows = await ask(opened, artists(3))
    expect(rows.data.artists).toHaveLength(20)
    expect(rows.credits.spent).toBe(0)
    expect(asked()).toBe(1)
    for (const { path, extensions } of [...first.errors, ...rows.errors]) {
      expect(extensions.code).toBe('UPSTREAM_FORBIDDEN')
      expect(path?.at(-1)).toBe('platDTopVideos')
    }
    expect(rows.errors).toHaveLength(20)
    advance(HOUR)
    expect((await ask(opened, artists(3))).credits.spent).toBe(2)
  })

  test('is paid for once where all rows ask before anything is known', async () => {
    const opened = await run({ sandbox: { latencyMs: 5 } })
    opened.sandbox.faults.inject('artistPlatDTopVideos', { status: 403 })
    const answers = await Promise.all([ask(opened, artists(3)), ask(opened, artists(23))])
    expect(answers.map(({ errors }) => errors.length)).toEqual([20, 20])
    expect(answers.map(({ credits }) => credits.spent).sort()).toEqual([0, 2])
    expect(opened.meter.credits).toBe(2)
  })

  test('that failed for another reason keeps nobody waiting but once', async () => {
    const opened = await run()
    opened.sandbox.faults.inject('artistPlatDTopVideos', { status: 500, times: 2 })
    const { errors } = await ask(opened, artists(3))
    expect(errors.length).toBeLessThanOrEqual(1)
    expect(opened.gateway.upstream.book.spent).toBe(opened.meter.credits)
  })

  test('does not take another premium endpoint with it', async () => {
    const opened = await run()
    opened.sandbox.faults.inject('artistPlatDTopVideos', { status: 403 })
    await ask(opened, `{ artist(cmId: 2) { ${VIDEOS} } }`)
    const { errors, credits } = await ask(
      opened,
      '{ artist(cmId: 2) { premium { platDInfluencerStats } } }',
    )
    expect(errors).toEqual([])
    expect(credits.spent).toBe(2)
  })
})
