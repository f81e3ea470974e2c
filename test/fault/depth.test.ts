import { expect, test } from 'vitest'
import { figure } from '../support/figure.ts'
import { openScripted } from '../support/gateway.ts'

const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`

test('§2.7: a value of 64 levels is given out, one of 65 or 200,000 is an answer that cannot be read', async () => {
  let levels = 64
  const run = await openScripted(() => ({ text: `{"obj":${nested(levels)}}` }))
  const ask = (cmId: number) =>
    run.query(`{ artist(cmId: ${cmId}) { premium { wherePeopleListen } } }`)
  const { data, errors } = await ask(5)
  expect(errors).toEqual([])
  expect(JSON.stringify(data.artist.premium.wherePeopleListen)).toBe(nested(64))
  for (levels of [65, 200_000])
    expect((await ask(levels)).errors.map(({ extensions }) => extensions.code)).toEqual([
      'UPSTREAM_BAD_RESPONSE',
    ])
  expect(run.upstream.requests).toHaveLength(3)
  figure('§2.7', '64 levels given out, 65 and 200,000 refused as UPSTREAM_BAD_RESPONSE')
  await run.close()
})
