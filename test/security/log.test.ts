import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../src/log.ts'
import { openCollector } from '../support/collector.ts'
import { buildGateway } from '../support/gateway-process.ts'
import { openScript, type Scripted } from '../support/script.ts'

let gateways: ReturnType<typeof buildGateway>
beforeAll(() => {
  gateways = buildGateway()
}, 120_000)
afterAll(() => gateways.close())

const KEY = Buffer.alloc(32, 9).toString('base64')
const SECRETS = [
  'seed-hunter-2',
  'access-hunter-3',
  'rotated-hunter-4',
  'router-hunter-5',
  KEY,
  'client-hunter-6',
  'collector-hunter-7',
]
const forms = (text: string) => [
  text,
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('hex'),
  encodeURIComponent(text),
]
const leaks = (text: string) => SECRETS.flatMap(forms).filter((form) => text.includes(form))

/** A service that repeats what it was sent, and fails in every way that there is. */
const openHostile = async () => {
  let turn = 0
  const echo = (headers: object, body: string) => JSON.stringify({ headers, body })
  const answers: ((seen: string) => Scripted)[] = [
    (seen) => ({ status: 400, body: { error: seen } }),
    (seen) => ({ status: 500, text: seen }),
    (seen) => ({ status: 403, body: { message: seen } }),
    (seen) => ({ status: 429, body: { error: seen }, headers: { 'x-ratelimit-reset': '0' } }),
    (seen) => ({ text: `{"obj":${seen}` }),
    (seen) => ({ body: { obj: seen } }),
    (seen) => ({ body: { obj: [{ id: seen }] } }),
    (seen) => ({
      status: 302,
      headers: { location: `http://evil.example/${encodeURIComponent(seen)}` },
    }),
  ]
  const service = await openScript(
    ({ headers, body }) => {
      turn += 1
      return answers[turn % answers.length]?.(echo(headers, body)) ?? {}
    },
    ({ headers, body }, count) =>
      count === 1
        ? { status: 503, text: echo(headers, body) }
        : {
            body: { token: 'access-hunter-3', refresh_token: 'rotated-hunter-4', expires_in: 3600 },
          },
  )
  onTestFinished(() => service.close())
  return service
}

describe('what is written down', () => {
  test('45, 48, 50: no log, no answer, no page, no metric and no trace of a process under failures holds a secret or a variable', async () => {
    const service = await openHostile()
    const collector = await openCollector()
    onTestFinished(async () => {
      await collector.close()
    })
    const gateway = await gateways.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=collector-hunter-7',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=night',
      UPSTREAM_URL: service.url,
      UPSTREAM_REFRESH_TOKEN: 'seed-hunter-2',
      FEDERATION_SECRET: 'router-hunter-5',
      STATE_KEY: KEY,
      STATE_DIR: await mkdtemp(join(tmpdir(), 'refrain-log-')),
      LOG_LEVEL: 'debug',
    })
    const told: string[] = []
    const note = async (answer: Response) =>
      told.push(JSON.stringify([...answer.headers]), await answer.text())
    const post = async (query: string, variables: object = {}, headers = {}) =>
      note(
        await fetch(`${gateway.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ query, variables }),
        }),
      )
    for (let id = 2; id < 60; id += 1)
      await post('query($id: Int!) { artist(cmId: $id) { rank name } }', { id })
    await post('query($q: String!) { search(query: $q) { artists { nodes { name } } } }', {
      q: 'client-hunter-6',
    })
    await post('{ _service { sdl } }', {}, { authorization: 'Bearer client-hunter-6' })
    await post('{ credits { spent byOperation { name } } }')
    for (const path of ['/graphql', '/readyz', '/livez', '/nothing'])
      await note(await fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html' } }))
    for (const path of ['/readyz', '/livez', '/metrics', '/credits'])
      await note(await fetch(`${gateway.operator}${path}`))
    // What every user of the machine sees of it.
    told.push(execFileSync('ps', ['-o', 'args=', '-p', String(gateway.pid)]).toString())
    gateway.signal('SIGTERM')
    expect(await gateway.exited).toBe(0)
    const asked = JSON.stringify([service.requests, service.tokens])
    // That the secrets were in use at all.
    for (const secret of ['seed-hunter-2', 'access-hunter-3']) expect(asked).toContain(secret)
    expect(leaks(gateway.told())).toEqual([])
    expect(leaks(told.join('\n'))).toEqual([])
    // Spans went out by the standard variables, with the collector's own key and nobody else's.
    expect(collector.requests[0]?.headers['x-collector-key']).toBe('collector-hunter-7')
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'refrain',
      'deployment.environment': 'night',
    })
    expect(collector.spans.length).toBeGreaterThan(60)
    expect(leaks(collector.texts.join('\n'))).toEqual([])
  }, 90_000)

  test('45: the settings of a process are not in what it prints of them, nor in its help', async () => {
    const env = {
      PATH: process.env.PATH,
      UPSTREAM_URL: 'https://api.example',
      UPSTREAM_REFRESH_TOKEN: 'seed-hunter-2',
      FEDERATION_SECRET: 'router-hunter-5',
      STATE_KEY: KEY,
    }
    const text = execFileSync(
      process.execPath,
      [join(gateways.dist, 'main.js'), '--check-config'],
      { env },
    ).toString()
    expect(text).toContain('[secret]')
    expect(leaks(text)).toEqual([])
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(gateways.dist, 'cli', 'main.js'), '--help'],
      { env, encoding: 'utf8' },
    )
    expect(stdout + stderr).toContain('refrain price')
    expect(leaks(stdout + stderr)).toEqual([])
  })

  test('44: a name with line feeds, colours or a megabyte is one short line of JSON', () => {
    const lines: string[] = []
    const log = createLog(
      'info',
      () => 0,
      (line) => lines.push(line),
    )
    for (const text of [
      'a\nb\r\nc',
      '\u001b[31mred\u001b[0m',
      '\u009b31m',
      '\u2028\u2029',
      '"}\n{"level":"error"',
      'x'.repeat(1_000_000),
    ])
      log.warn(text)
    for (const line of lines) {
      expect(line.trimEnd()).not.toMatch(/\n/)
      expect(line.length).toBeLessThan(2_300)
      expect(JSON.parse(line).level).toBe('warn')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
      expect(JSON.parse(line).message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    }
    expect(lines).toHaveLength(6)
  })

  test('48: an operation that is answered leaves no line', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
    const { openGateway } = await import('../support/gateway.ts')
    const service = await openScript(() => ({ body: { obj: { id: 5, name: 'Ada' } } }))
    const { gateway, query } = openGateway(service.url, { LOG_LEVEL: 'debug' })
    await query('query Secret($id: Int!) { artist(cmId: $id) { name } }', { id: 54_321 })
    await query('query Secret($id: Int!) { artist(cmId: $id) { nme } }', { id: 54_321 })
    await gateway.close()
    await service.close()
    const text = written.mock.calls.map(([line]) => String(line)).join('')
    written.mockRestore()
    expect(text).not.toContain('54321')
  })
})
