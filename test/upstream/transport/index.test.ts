import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { createLedger } from '../../../src/credits/ledger.ts'
import { secret } from '../../../src/upstream/token/secret.ts'
import { createTransport, type TransportSettings } from '../../../src/upstream/transport/index.ts'
import { parseBilled } from '../../../src/upstream/transport/meter.ts'
import { sending } from '../../../src/upstream/transport/step.ts'
import { T0 } from './clocks.ts'
import { createOrigin, type Heard, json, type Play } from './origin.ts'

const grant = (response: ServerResponse, token: string, refreshToken: string) =>
  json(response, 200, { token, expires_in: 3_600, refresh_token: refreshToken, scope: 'api' })

const dial = (baseUrl: string, over: Partial<TransportSettings> = {}) => {
  const transport = createTransport(
    {
      baseUrl,
      refreshToken: secret('seed-plain\n'),
      stateDir: 'off',
      concurrency: 4,
      timeoutMs: 2_000,
      billed: parseBilled('all-but:401,token'),
      ...over,
    },
    systemClock,
  )
  const ledger = createLedger()
  const get = (path = '/api/track/501', patience = 5_000) =>
    sending(transport.step)(
      { method: 'GET', path, credits: 1, endpoint: 'track' },
      { ledger, deadline: systemClock.now() + patience },
    )
  return { transport, ledger, get }
}

/** A service whose token endpoint works; `play` answers the rest. */
const open = async (play: Play, over?: Partial<TransportSettings>) => {
  const origin = await createOrigin((heard, response, socket) =>
    heard.url.endsWith('/api/token')
      ? grant(response, 'access-plain-1', 'refresh-plain-1')
      : play(heard, response, socket),
  )
  const line = dial(origin.url, over)
  onTestFinished(async () => {
    await line.transport.close()
    await origin.close()
  })
  const calls = () => origin.heard.filter(({ url }) => !url.endsWith('/api/token'))
  return { origin, calls, ...line }
}

const fine: Play = (_, response) => json(response, 200, { obj: { id: 501 } })

describe('a transport', () => {
  it('mints once for a cold burst, signs every request, and spends a credit on each', async () => {
    const { origin, calls, ledger, get } = await open(fine)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, id) => get(`/api/track/${id}`)),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const [mint] = origin.heard
    expect(mint).toMatchObject({
      method: 'POST',
      url: '/api/token',
      body: '{"refreshtoken":"seed-plain"}',
    })
    expect(mint?.headers.authorization).toBeUndefined()
    expect(mint?.headers['content-type']).toBe('application/json')
    expect(calls()).toHaveLength(30)
    expect(calls().every(({ headers }) => headers.authorization === 'Bearer access-plain-1')).toBe(
      true,
    )
    expect(ledger.spent).toBe(30)
    expect(origin.sockets).toBeLessThanOrEqual(4)
  })

  it('books token calls on its own ledger where the plan bills them', async () => {
    const own = createLedger()
    const origin = await createOrigin(({ url }, response) =>
      url === '/api/token' ? grant(response, 'a', 'r') : json(response, 200, {}),
    )
    const transport = createTransport(
      {
        baseUrl: origin.url,
        refreshToken: secret('seed'),
        stateDir: 'off',
        concurrency: 1,
        timeoutMs: 1_000,
        billed: parseBilled('all'),
      },
      systemClock,
      { ledger: own },
    )
    onTestFinished(async () => {
      await transport.close()
      await origin.close()
    })
    await transport.token.current({ deadline: systemClock.now() + 1_000 })
    expect(own.spent).toBe(1)
  })

  it('spends nothing on a service that is not there, and says so', async () => {
    const { url, close } = await createOrigin(fine)
    await close()
    const { transport, ledger, get } = dial(url)
    await expect(get('/api/track/501', 1_500)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    })
    expect(ledger.spent).toBe(0)
    await transport.close()
  })

  it('repeats what idle connections lose, and fails nobody', async () => {
    let count = 0
    const { get, calls, ledger } = await open((_, response, socket) => {
      count += 1
      json(response, 200, { obj: count })
      if (count % 7 === 0) setTimeout(() => socket.destroy(), 1)
    })
    for (let one = 0; one < 200; one += 1) {
      expect((await get()).status).toBe(200)
      if (one % 5 === 0) await systemClock.sleep(2)
    }
    // What was written to a connection that was closing may or may not have been received.
    expect(ledger.spent).toBeGreaterThanOrEqual(calls().length)
    expect(ledger.spent).toBeLessThan(230)
  })

  it('counts what it sent, request for request, over a service in all sorts of trouble', async () => {
    let count = 0
    const { get, calls, ledger } = await open((_, response, socket) => {
      count += 1
      const turn = count % 5
      if (turn === 0) return json(response, 200, { obj: 1 })
      if (turn === 1) return json(response, 404, {})
      if (turn === 2) return void socket.resetAndDestroy()
      if (turn === 3) return json(response, 503, {})
      response.writeHead(200, { 'content-length': '50' })
      response.write('{"obj"')
      setTimeout(() => socket.destroy(), 5)
    })
    await Promise.allSettled(Array.from({ length: 60 }, () => get()))
    expect(ledger.spent).toBe(calls().length)
    expect(ledger.spent).toBeLessThanOrEqual(80)
  })
})

describe('the fixtures of errors', () => {
  interface Case {
    readonly name: string
    readonly response: {
      readonly status: number
      readonly headers: Record<string, string>
      readonly body?: unknown
      readonly bodyText?: string
    }
  }
  const { cases } = JSON.parse(
    readFileSync(new URL('../../fixtures/errors.json', import.meta.url), 'utf8'),
  ) as {
    cases: readonly Case[]
  }
  const sends: Record<string, number> = {
    '500-error-object': 2,
    '401-expired': 2,
    '401-no-body': 2,
  }

  it.each(cases.map((one) => [one.name, one] as const))(
    '%s is asked for as often as it may help, and goes up as it is',
    async (name, { response: { status, headers, body, bodyText } }) => {
      const text = bodyText ?? JSON.stringify(body)
      const { get, calls, ledger } = await open((_, response) => {
        response.writeHead(status, headers)
        response.end(text)
      })
      const asked = get()
      if (status === 401) await expect(asked).rejects.toMatchObject({ code: 'UPSTREAM_FORBIDDEN' })
      else expect(await asked).toMatchObject({ status, text: text.replace('\uFEFF', '') })
      expect(calls()).toHaveLength(sends[name] ?? 1)
      expect(ledger.spent).toBe(status === 401 ? 0 : (sends[name] ?? 1))
    },
  )
})

describe('the fixture of a token that expires in flight', () => {
  interface Step {
    readonly request: { readonly path: string; readonly headers?: Record<string, string> }
    readonly response: { readonly status: number; readonly body: unknown }
  }
  const { cases } = JSON.parse(
    readFileSync(new URL('../token/token.json', import.meta.url), 'utf8'),
  ) as { cases: readonly { name: string; steps?: readonly Step[] }[] }
  const steps = cases.find(({ name }) => name === 'expired-mid-flight')?.steps ?? []

  it('is one exchange and one repeat with the new header', async () => {
    const script = [...steps]
    const heard: Heard[] = []
    const origin = await createOrigin((call, response) => {
      heard.push(call)
      if (heard.length === 1) return grant(response, '<ACCESS_TOKEN_1>', '<REFRESH_TOKEN>')
      const step = script.shift()
      json(response, step?.response.status ?? 500, step?.response.body)
    })
    const { transport, get, ledger } = dial(origin.url, { refreshToken: secret('<REFRESH_TOKEN>') })
    onTestFinished(async () => {
      await transport.close()
      await origin.close()
    })
    expect((await get()).status).toBe(200)
    expect(heard.slice(1).map(({ url }) => url)).toEqual(steps.map(({ request }) => request.path))
    expect(heard.slice(1).map(({ headers }) => headers.authorization)).toEqual(
      steps.map(({ request }) => request.headers?.authorization),
    )
    expect(ledger.spent).toBe(1)
  })
})

describe('a transport with a state folder', () => {
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'refrain-transport-'))
    onTestFinished(() => rm(made, { recursive: true, force: true }))
    return join(made, 'state')
  }

  it.each([
    ['sealed', secret(randomBytes(32).toString('base64'))],
    ['open', undefined],
  ])('starts again without an exchange, its record %s', async (_, stateKey) => {
    const stateDir = await folder()
    const { origin, transport, get } = await open(fine, { stateDir, stateKey })
    await get()
    await transport.close()
    const again = dial(origin.url, { stateDir, stateKey })
    expect((await again.get()).status).toBe(200)
    await again.transport.close()
    expect(origin.heard.filter(({ url }) => url === '/api/token')).toHaveLength(1)
    const [name = 'none'] = (await readdir(stateDir)).filter((file) => file.startsWith('token.'))
    const file = join(stateDir, name)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).includes('plain')).toBe(stateKey === undefined)
  })
})

describe('what a transport shows of itself', () => {
  it('holds no token, whatever happened', async () => {
    const plays: Play[] = [
      (_, response) => json(response, 401, { error: 'expired' }),
      (_, __, socket) => socket.resetAndDestroy(),
      () => undefined,
    ]
    for (const play of plays) {
      const { transport, get } = await open(play, { timeoutMs: 200 })
      const { error } = await get().then(
        () => ({ error: undefined }),
        (error: unknown) => ({ error }),
      )
      expect(error).toBeDefined()
      const shown = [error, transport.token.state, transport.token.problem, transport.gate]
      expect(inspect(shown, { depth: 12, showHidden: true })).not.toContain('plain')
    }
  })

  it('names the state of its token and its pause', async () => {
    const { transport, get } = await open((_, response) =>
      json(response, 429, {}, { 'x-ratelimit-reset': '30' }),
    )
    expect(transport.token.state).toBe('EMPTY')
    expect((await get()).status).toBe(429)
    expect(transport.token.state).toBe('VALID')
    expect(transport.token.problem).toBeUndefined()
    expect(transport.gate.pausedUntil).toBeGreaterThan(T0)
    const start = performance.now()
    await expect(get()).rejects.toMatchObject({ code: 'RATE_LIMITED', facts: { retryAfter: 30 } })
    expect(performance.now() - start).toBeLessThan(50)
  })
})
