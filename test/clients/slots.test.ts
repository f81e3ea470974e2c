import { describe, expect, test } from 'vitest'
import { bearer, openClients } from '../support/clients.ts'
import { holding } from '../support/holding.ts'
import { createFakeClock } from '../upstream/transport/clocks.ts'

const artists = (...ids: number[]) =>
  `{ ${ids.map((id) => `a${id}: artist(cmId: ${id}) { rank }`).join(' ')} }`

describe('a client with slots', () => {
  test('has no more requests on their way at once, and leaves the rest of the service to others', async () => {
    const { held, reply, arrived } = holding()
    const { query } = await openClients([{ name: 'web', slots: 2 }, { name: 'app' }], { reply })
    const web = query(artists(2, 3, 4, 5), {}, bearer('web'))
    expect(await arrived(2)).toEqual([2, 3])
    const app = query(artists(6, 7, 8), {}, bearer('app'))
    expect(await arrived(5)).toEqual([2, 3, 6, 7, 8])
    held[0]?.answer()
    expect(await arrived(6)).toEqual([2, 3, 6, 7, 8, 4])
    held[1]?.answer()
    expect(await arrived(7)).toEqual([2, 3, 6, 7, 8, 4, 5])
    for (const { answer } of held) answer()
    expect((await web).data).toEqual({
      a2: { rank: 2 },
      a3: { rank: 3 },
      a4: { rank: 4 },
      a5: { rank: 5 },
    })
    expect((await app).credits.spent).toBe(3)
  })

  test('is told at its deadline, pays nothing for what did not leave, and has its slots back', async () => {
    const { held, reply, arrived } = holding()
    const clock = createFakeClock(Date.now())
    const { query, upstream } = await openClients([{ name: 'web', slots: 1 }], {
      reply,
      env: { OPERATION_TIMEOUT_MS: '5000' },
      parts: { clock },
    })
    const late = query(artists(2, 3), {}, bearer('web'))
    await arrived(1)
    await clock.pass(5_000)
    const { data, errors, credits } = await late
    expect([data, errors.map(({ extensions }) => extensions.code)]).toEqual([
      { a2: null, a3: null },
      ['TIMEOUT', 'TIMEOUT'],
    ])
    expect([credits.spent, upstream.requests.length]).toEqual([1, 1])
    held[0]?.answer()
    const again = query(artists(4), {}, bearer('web'))
    await arrived(2)
    held[1]?.answer()
    expect((await again).data).toEqual({ a4: { rank: 4 } })
  })
})
