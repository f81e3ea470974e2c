import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createLedger } from '../../../src/credits/ledger.ts'
import { createMint, lifeOf } from '../../../src/upstream/token/mint.ts'
import { secret } from '../../../src/upstream/token/secret.ts'
import type { WireRequest } from '../../../src/upstream/transport/send.ts'
import { createFakeClock, T0 } from '../transport/clocks.ts'

interface Case {
  readonly name: string
  readonly request?: { method: string; path: string; body: unknown }
  readonly response?: { status: number; body: unknown }
}

const { cases } = JSON.parse(readFileSync(new URL('./token.json', import.meta.url), 'utf8')) as {
  cases: readonly Case[]
}

const granted = (token: string, seconds: number, refreshToken?: string) => ({
  kind: 'granted',
  life: seconds * 1_000,
  token,
  refreshToken,
})

const expected: Record<string, unknown> = {
  base: granted('<ACCESS_TOKEN_1>', 3_600, '<REFRESH_TOKEN>'),
  'refresh-token-differs': granted('<ACCESS_TOKEN_2>', 3_600, '<REFRESH_TOKEN_2>'),
  'expires-in-missing': granted('<ACCESS_TOKEN_4>', 300),
  'expires-in-string': granted('<ACCESS_TOKEN_5>', 3_600, '<REFRESH_TOKEN>'),
  'expires-in-shorter-than-margin': granted('<ACCESS_TOKEN_6>', 30, '<REFRESH_TOKEN>'),
  'rejected-refresh-token': { kind: 'refused' },
}

const exchange = async (status: number, text: string, credits = 0) => {
  const clock = createFakeClock()
  const ledger = createLedger()
  const sent: WireRequest[] = []
  let deadline = 0
  const mint = createMint(
    async (request, caller) => {
      sent.push(request)
      deadline = caller.deadline
      return { status, headers: {}, text }
    },
    clock,
    ledger,
    credits,
  )
  const grant = await mint(secret('<REFRESH_TOKEN>'))
  const { token, refreshToken, ...rest } = { token: undefined, refreshToken: undefined, ...grant }
  const plain = { ...rest, token: token?.reveal(), refreshToken: refreshToken?.reveal() }
  return { grant: JSON.parse(JSON.stringify(plain)), sent, deadline }
}

describe('an exchange', () => {
  it.each(cases.filter(({ name }) => name in expected).map((one) => [one.name, one] as const))(
    'of the fixture %s is understood',
    async (name, { request, response }) => {
      const { grant, sent } = await exchange(response?.status ?? 0, JSON.stringify(response?.body))
      expect(grant).toEqual(JSON.parse(JSON.stringify(expected[name])))
      expect(sent).toMatchObject([{ method: request?.method, path: request?.path }])
      expect(JSON.parse(sent[0]?.body ?? '')).toEqual(request?.body)
    },
  )

  it('has ten seconds', async () => {
    expect((await exchange(200, '{}')).deadline).toBe(T0 + 10_000)
  })

  it('costs what the plan bills for it', async () => {
    expect((await exchange(200, '{}', 1)).sent[0]?.credits).toBe(1)
  })

  it.each([
    [400, 'faulty'],
    [403, 'faulty'],
    [404, 'faulty'],
    [302, 'faulty'],
    [429, 'busy'],
    [500, 'busy'],
    [503, 'busy'],
  ])('answered with %i is %s', async (status, kind) => {
    expect((await exchange(status, '<html>')).grant.kind).toBe(kind)
  })
})

describe('a lifetime', () => {
  it.each([
    [3_600, 3_600],
    ['3600', 3_600],
    [' 60 ', 60],
    [2, 2],
    [0.01, 1],
    [1e12, 3_600],
    [0, 300],
    [-5, 300],
    ['', 300],
    ['soon', 300],
    [null, 300],
    [undefined, 300],
    [Number.NaN, 300],
    [{}, 300],
    [true, 300],
  ])('of %j is %i seconds', (text, seconds) => {
    expect(lifeOf(text)).toBe(seconds * 1_000)
  })
})
