import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import { createLog } from '../../src/log.ts'
import { secret } from '../../src/upstream/token/secret.ts'
import { WireFault } from '../../src/upstream/transport/fault.ts'
import { sending } from '../../src/upstream/transport/step.ts'
import { configOf, openGateway, openScripted } from '../support/gateway.ts'
import { run } from '../support/run.ts'
import { openServer, serve } from '../support/server.ts'

const ARTIST = '{ artist(cmId: 5) { name } }'

describe('what a client is told', () => {
  test('18: a fault of ours is masked, whatever it says', async () => {
    const { gateway, query } = await run()
    vi.spyOn(gateway.upstream, 'call').mockImplementation(async () => {
      throw new Error('Bearer hunter2 at /srv/app/x.ts, http://internal:1/api')
    })
    const { errors } = await query('{ artist(cmId: 5) { rank } }')
    expect(errors.map(({ message }) => message)).toEqual(['Unexpected error.'])
    expect(JSON.stringify(errors)).not.toMatch(/hunter2|srv|internal|stack/)
  })

  test.each([
    [
      'HTML',
      { text: '<html><b>hunter2</b> at x.js:1</html>', headers: { 'content-type': 'text/html' } },
    ],
    ['a stack', { body: { error: { stack: 'Error: hunter2\n at x.js:1' } } }],
    ['a token', { body: { error: 'Authorization: Bearer hunter2 is no good' } }],
    ['markup within a message', { body: { message: '<script>hunter2</script>' } }],
  ])('20: %s in an answer of the service is not passed on', async (_, body) => {
    for (const status of [400, 401, 403, 404, 418, 429, 500, 503]) {
      const open = await openScripted(() => ({ status, ...body }))
      const { errors, data } = await open.query(ARTIST)
      expect(JSON.stringify([errors, data]), String(status)).not.toMatch(/<|Bearer|x\.js|stack/)
      await open.close()
    }
  })

  test('21: no tracing, and no header that tells how it is made', async () => {
    const { gateway } = await run()
    const { address } = await serve(gateway)
    const answer = await fetch(`${address}/graphql?query=${encodeURIComponent(ARTIST)}`, {
      headers: { 'x-debug': '1', 'apollo-federation-include-trace': 'ftv1' },
    })
    expect(Object.keys((await answer.json()).extensions)).toEqual(['credits'])
    for (const name of answer.headers.keys())
      expect(name).not.toMatch(/^(x-powered-by|server|x-debug.*|server-timing|via)$/)
  })

  test('17: the explorer page is complete in itself, and not to be framed', async () => {
    const { gateway } = await run()
    const { address } = await serve(gateway)
    const page = await fetch(`${address}/graphql`, { headers: { accept: 'text/html' } })
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/default-src 'none'/)
    expect(policy).toMatch(/frame-ancestors 'none'/)
    expect(policy).toMatch(/script-src 'sha256-[^;]+(;|$)/)
    expect(policy).not.toMatch(/unsafe-eval|https:|script-src[^;]*unsafe-inline/)
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(await page.text()).not.toMatch(/<(script|link)[^>]+(src|href)="?(https?:)?\/\//)
  })

  test('17: in production there is no explorer page', async () => {
    const { gateway } = openGateway('http://127.0.0.1:9', { NODE_ENV: 'production' })
    const { graphiql } = configOf({ NODE_ENV: 'production' })
    const { address, close } = await openServer(gateway, graphiql)
    const page = await fetch(`${address}/graphql`, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type') ?? '').not.toMatch(/html/)
    expect((await fetch(address)).status).toBe(404)
    await close()
    await gateway.close()
  })

  test('49: nothing tells the settings', async () => {
    const { gateway } = await run()
    const { address } = await serve(gateway)
    for (const path of [
      'config',
      'env',
      'debug',
      'metrics',
      'credits',
      'graphql/config',
      '.env',
      'dist/main.js',
    ])
      expect((await fetch(`${address}/${path}`)).status).toBe(404)
  })
})

describe('what an error carries', () => {
  test('46: a failed request has no cause that leads to its headers, and a secret prints as none', async () => {
    const dead = openGateway('http://127.0.0.1:9', {})
    onTestFinished(() => dead.gateway.close())
    const failure = await sending(dead.gateway.transport.step)(
      {
        method: 'GET',
        path: '/api/artist/5',
        headers: { authorization: 'Bearer hunter2' },
        credits: 1,
        endpoint: 'artist',
      },
      {
        ledger: { charge: async () => undefined, refund: () => undefined } as never,
        deadline: Date.now() + 5_000,
      },
    ).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(GatewayError)
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain('hunter2')
    const held = secret('hunter2')
    const fault = new WireFault('TIMEOUT', `with ${held}`, { sent: true, repeatable: false })
    for (const shown of [
      String(held),
      JSON.stringify({ held }),
      inspect(held),
      inspect({ held }, { showHidden: true, depth: 9 }),
      `${fault.message}`,
    ]) {
      expect(shown).toContain('[secret]')
      expect(shown).not.toContain('hunter2')
    }
  })

  test('46: an error of undici with its request attached is logged without headers', () => {
    const lines: string[] = []
    const log = createLog(
      'info',
      () => 0,
      (line) => lines.push(line),
    )
    const error = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('other side closed'), {
        request: {
          headers: { authorization: 'Bearer hunter2' },
          rawHeaders: ['authorization', 'Bearer hunter2'],
        },
      }),
    })
    log.error(error)
    log.error('it failed:', { error })
    log.error({ cause: error.cause })
    expect(lines).toHaveLength(3)
    expect(lines.join('')).not.toContain('hunter2')
  })
})

test('a secret that repeats itself is taken out of a text that nearly does in time that grows with both, and not with their product', () => {
  const MUCH = 1_500_000
  const text = (letters: string) => letters.repeat(MUCH / letters.length)
  for (const letters of ['a', 'ab', '+', '%2B']) {
    const body = JSON.stringify({ error: text(letters) })
    expect(secret(`${text(letters).slice(0, MUCH / 2)}c`).outOf(body)).toBe(body)
  }
  const long = secret(`${text('ab').slice(0, MUCH / 2)}c`)
  const twice = JSON.stringify({ error: `${text('ab')}c b${text('ab')}c` })
  expect(long.outOf(twice).match(/\[secret\]/g)).toHaveLength(2)
})
