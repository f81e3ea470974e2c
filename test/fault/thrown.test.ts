import { expect, onTestFinished, test, vi } from 'vitest'
import type { Tracing } from '../../src/telemetry/export.ts'
import { openGateway } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'

const boom = (): never => {
  throw new Error('a fault of ours')
}
const TWO =
  '{ one: artist(cmId: 5) { rank } other: artist(cmId: 6) { rank } track(cmId: 7) { name } }'

/** A gateway with one slot whose requests are followed by what throws, as they begin or as they end, while it is told to. */
const followed = async (throws: { beginning?: boolean; end?: boolean }) => {
  const upstream = await openScript(({ path }) => {
    const id = Number(path.split('/').at(-1))
    return { body: { obj: { id, cm_artist_rank: id, name: 'Ada' } } }
  })
  const tracing: Tracing = {
    follow: () => () => undefined,
    watch({ endpoint }) {
      const isMeant = endpoint === 'artist'
      if (throws.beginning && isMeant) boom()
      return { end: () => throws.end && isMeant && boom() }
    },
    close: async () => undefined,
  }
  const env = { UPSTREAM_CONCURRENCY: '1', LOG_LEVEL: 'warn' }
  const { gateway, query } = openGateway(upstream.url, env, { tracing })
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  return { query, upstream }
}

test.each([
  ['ends', { end: true }],
  ['begins', { beginning: true }],
])(
  'what follows requests and throws as one %s is told of, and costs no answer',
  async (_, thrower) => {
    const { query, upstream } = await followed(thrower)
    const logged = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { data, errors, credits } = await query(TWO)
    const lines = logged.mock.calls.join('')
    logged.mockRestore()
    expect(lines).toContain('a fault of ours')
    expect(errors).toEqual([])
    expect(data).toEqual({ one: { rank: 5 }, other: { rank: 6 }, track: { name: 'Ada' } })
    expect(upstream.requests).toHaveLength(3)
    expect(credits.spent).toBe(3)
  },
)
