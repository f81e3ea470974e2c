import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { handClock } from '../credits/ask.ts'
import { openClients } from '../support/clients.ts'
import { holding } from '../support/holding.ts'
import { openScript } from '../support/script.ts'

const ARTIST = '{ artist(cmId: 5) { rank } }'
const PREMIUM = '{ artist(cmId: 5) { premium { wherePeopleListen } } }'
const ISSUER = 'https://login.example/'
const AUDIENCE = 'refrain'
const NOW = '2026-03-10T12:00:00Z'
const HOUR = 3_600

let pair: Awaited<ReturnType<typeof generateKeyPair>>
let other: Awaited<ReturnType<typeof generateKeyPair>>
beforeAll(async () => {
  pair = await generateKeyPair('ES256', { extractable: true })
  other = await generateKeyPair('ES256', { extractable: true })
})

const seconds = () => Date.parse(NOW) / 1000
interface Made {
  readonly claims?: JWTPayload
  readonly audience?: string
  readonly issuer?: string
  readonly expires?: number
  readonly kid?: string
  readonly by?: CryptoKey
}
const made = ({
  claims = { sub: 'web' },
  audience = AUDIENCE,
  issuer = ISSUER,
  expires = seconds() + HOUR,
  kid = 'one',
  by = pair.privateKey,
}: Made = {}) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(by)

/** A gateway that takes tokens of an issuer whose keys are served on this machine. */
const open = async (
  clients: Parameters<typeof openClients>[0] = [],
  service: Pick<NonNullable<Parameters<typeof openClients>[1]>, 'reply'> = {},
) => {
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }
  let isAway = false
  const issuer = await openScript(() => (isAway ? { status: 500 } : { body: { keys: [jwk] } }))
  onTestFinished(() => issuer.close())
  const { clock, advance } = handClock(NOW)
  const opened = await openClients(clients, {
    ...service,
    env: {
      UPSTREAM_CONCURRENCY: '100',
      JWT_ISSUER: ISSUER,
      JWT_JWKS_URL: `${issuer.url}/jwks.json`,
      JWT_AUDIENCE: AUDIENCE,
      ...(clients.length === 0 && { CLIENTS_FILE: '' }),
    },
    parts: { clock },
  })
  const answerTo = async (token: string, text = ARTIST) => {
    const accept = 'application/graphql-response+json'
    const { data, errors, status } = await opened.query(
      text,
      {},
      { accept, authorization: `Bearer ${token}` },
    )
    return { data, code: errors[0]?.extensions.code, status }
  }
  return {
    ...opened,
    issuer,
    advance,
    answerTo,
    goAway: () => {
      isAway = true
    },
  }
}

describe('clients by token', () => {
  test('are named by it, checked once, and asked for again by the short way', async () => {
    const { answerTo, gateway, issuer } = await open()
    const token = await made()
    for (let turn = 0; turn < 4; turn += 1)
      expect((await answerTo(token)).data).toEqual({ artist: { rank: 3 } })
    expect(gateway.upstream.book.byClient).toEqual([{ name: 'web', spent: 1, saved: 3 }])
    expect(issuer.requests).toHaveLength(1)
  })

  test('have 32 operations under way at once, or what the file says of their name', async () => {
    const { held, reply, arrived } = holding()
    const { answerTo } = await open([{ name: 'desk', operations: 2, keyHash: undefined }], {
      reply,
    })
    const web = await made()
    const desk = await made({ claims: { sub: 'desk' } })
    const asked = [
      ...Array.from({ length: 34 }, (_, at) =>
        answerTo(web, `{ artist(cmId: ${100 + at}) { rank } }`),
      ),
      ...Array.from({ length: 4 }, (_, at) =>
        answerTo(desk, `{ artist(cmId: ${200 + at}) { rank } }`),
      ),
    ]
    expect(await arrived(34)).toHaveLength(34)
    for (const { answer } of held) answer()
    const codes = (await Promise.all(asked)).map(({ code }) => code)
    expect(codes.slice(0, 34).filter((code) => code === 'OVERLOADED')).toHaveLength(2)
    expect(codes.slice(34).filter((code) => code === 'OVERLOADED')).toHaveLength(2)
  })

  test('are called by their OAuth client before the person that uses it', async () => {
    const { answerTo, gateway } = await open()
    await answerTo(await made({ claims: { sub: 'person-5', client_id: 'app' } }))
    await answerTo(await made({ claims: { sub: 'person-6', azp: 'desk' } }))
    expect(gateway.upstream.book.byClient.map(({ name }) => name)).toEqual(['app', 'desk'])
  })

  test('may what the file of clients says of their name, and no premium answers where it says nothing', async () => {
    const { answerTo } = await open([
      { name: 'web', creditsPerDay: 0, keyHash: undefined },
      { name: 'paying', premium: true, keyHash: undefined },
    ])
    expect((await answerTo(await made())).code).toBe('CREDIT_BUDGET_EXHAUSTED')
    expect((await answerTo(await made({ claims: { sub: 'else' } }), PREMIUM)).code).toBe(
      'FORBIDDEN',
    )
    expect((await answerTo(await made({ claims: { sub: 'paying' } }), PREMIUM)).code).toBe(
      undefined,
    )
  })

  const bad: [string, () => Promise<string> | string][] = [
    ['of another issuer', () => made({ issuer: 'https://evil.example/' })],
    ['for another audience', () => made({ audience: 'other' })],
    ['that is over', () => made({ expires: seconds() - 60 })],
    ['signed by somebody else', () => made({ by: other.privateKey })],
    ['under a key that is unknown', () => made({ kid: 'two', by: other.privateKey })],
    [
      'that nobody signed',
      () =>
        new UnsecuredJWT({ sub: 'web' })
          .setIssuer(ISSUER)
          .setAudience(AUDIENCE)
          .setExpirationTime(seconds() + HOUR)
          .encode(),
    ],
    [
      'without an end',
      () =>
        new SignJWT({ sub: 'web' })
          .setProtectedHeader({ alg: 'ES256', kid: 'one' })
          .setIssuer(ISSUER)
          .setAudience(AUDIENCE)
          .sign(pair.privateKey),
    ],
    ['without a name', () => made({ claims: {} })],
    ['by the name of the router', () => made({ claims: { sub: 'router' } })],
    [
      'signed with the public key',
      async () =>
        new SignJWT({ sub: 'web' })
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .setIssuer(ISSUER)
          .setAudience(AUDIENCE)
          .setExpirationTime(seconds() + HOUR)
          .sign(new TextEncoder().encode(JSON.stringify(await exportJWK(pair.publicKey)))),
    ],
    ['in one part', () => 'x'],
    ['of three parts that mean nothing', () => 'a.b.c'],
  ]
  test.each(bad)('are nobody with a token %s', async (_, make) => {
    const { answerTo, upstream } = await open()
    const token = await make()
    for (let turn = 0; turn < 2; turn += 1)
      expect(await answerTo(token)).toEqual({
        data: undefined,
        code: 'UNAUTHENTICATED',
        status: 401,
      })
    expect(upstream.requests).toEqual([])
  })

  test('are nobody once their token is over, also where it was good before', async () => {
    const { answerTo, advance } = await open()
    const token = await made({ expires: seconds() + 60 })
    expect((await answerTo(token)).code).toBeUndefined()
    advance(120_000)
    expect((await answerTo(token)).code).toBe('UNAUTHENTICATED')
  })

  test('wait where the keys of the issuer cannot be had: it is no fault of theirs', async () => {
    const { answerTo, goAway } = await open()
    goAway()
    expect(await answerTo(await made())).toMatchObject({ code: 'OVERLOADED', status: 503 })
  })

  test('of made-up keys do not have the issuer asked again and again', async () => {
    const { answerTo, issuer } = await open()
    for (let at = 0; at < 100; at += 1)
      await answerTo(await made({ kid: `made-up-${at}`, by: other.privateKey }))
    expect(issuer.requests.length).toBeLessThanOrEqual(2)
  })
})

describe('the settings of tokens', () => {
  const ALL = {
    SANDBOX: '1',
    JWT_ISSUER: ISSUER,
    JWT_JWKS_URL: 'https://login.example/jwks',
    JWT_AUDIENCE: AUDIENCE,
  }
  const faults = (env: Record<string, string>) => {
    const reading = readConfig({ ...ALL, ...env }, () => '')
    return reading.ok ? [] : reading.faults
  }

  test('belong together, and let the gateway listen where others reach it', () => {
    expect(faults({ HOST: '0.0.0.0' })).toEqual([])
    for (const name of ['JWT_ISSUER', 'JWT_JWKS_URL', 'JWT_AUDIENCE'])
      expect(faults({ [name]: '' })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))])
  })

  test('fetch keys over https, or from this machine', () => {
    expect(faults({ JWT_JWKS_URL: 'http://127.0.0.1:9/jwks' })).toEqual([])
    for (const url of ['http://login.example/jwks', 'ftp://a/b', 'https://u:p@login.example/'])
      expect(faults({ JWT_JWKS_URL: url })).toEqual([expect.stringMatching(/^JWT_JWKS_URL: /)])
  })
})
