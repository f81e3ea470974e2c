import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { openGateway } from '../support/gateway.ts'
import { build, freePort, startProgram } from '../support/process.ts'

const RECIPES = 'docs/recipes'
const recipes = readdirSync(RECIPES)
  .filter((name) => name.endsWith('.graphql'))
  .map((name) => readFileSync(join(RECIPES, name), 'utf8'))

const QUERIES = [
  ...recipes,
  // The chart tells the name, so that the artist is never asked for.
  '{ charts { platG(countryCode: "US", date: "2025-06-06", first: 1) { nodes { artists { cmId name } } } } }',
  // Not there, nothing found, not permitted, and none of the service's numbers.
  '{ artist(cmId: 99999999) { name } charts { platF(genre: "techno", date: "2025-06-03") { nodes { name } } } }',
  '{ one: artist(cmId: 3) { premium { platNAudienceStats } } other: artist(cmId: 4) { premium { platNAudienceStats } } }',
  '{ artist(cmId: 7777) { name } }',
  '{ artistsByStat(stat: PLAT_A_FOLLOWERS, min: "0", max: "9007199254740991", first: 3) { nodes { artist { name } } } }',
  '{ playlists(platform: PLAT_B, filter: { editorialOnly: false }, first: 3) { nodes { name ownerName } } }',
]

const told = { 'content-type': 'application/json', 'x-request-id': 'recording' }
const plain = { ...told, 'x-credits-report': 'off' }

const page = readFileSync('docs/recording.md', 'utf8')
/** Arguments of the command, as the page of it shows them. */
const shown = (command: string): string[] =>
  new RegExp(`^refrain (${command} .*?)$`, 'm').exec(page)?.[1]?.split(' ') ?? []

describe('refrain record and refrain replay', () => {
  const app = mkdtempSync(join(tmpdir(), 'refrain-recordings-'))
  const folder = join(app, 'recordings')
  const built = build('recording')
  const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed' })
  let service = ''
  const recorded: string[] = []

  const start = (command: string, env: Record<string, string> = {}) =>
    startProgram({
      args: [join(built.dist, 'cli/main.js'), ...shown(command)],
      cwd: app,
      env: {
        ADMIN_PORT: '0',
        STATE_DIR: 'off',
        OPERATION_TIMEOUT_MS: '60000',
        UPSTREAM_TIMEOUT_MS: '60000',
        UPSTREAM_URL: service,
        UPSTREAM_REFRESH_TOKEN: 'seed',
        ...env,
      },
      probe: (url) => fetch(`${url}/livez`),
    })
  /** The answer as it comes; who is told that a busy machine strains the gateway comes again. */
  const ask = async (url: string, query: string, headers: Record<string, string> = plain) => {
    const body = JSON.stringify({ query })
    for (;;) {
      const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
      const text = await answer.text()
      if (!/"code":"(OVERLOADED|TIMEOUT|UPSTREAM_UNAVAILABLE)"/.test(text)) return text
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const files = () => readdirSync(folder).sort()
  const contents = () => files().map((name) => readFileSync(join(folder, name), 'utf8'))

  /** Makes the recordings older by some days. */
  const age = (days: number) => {
    for (const name of files()) {
      const recorded = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      const at = new Date(Date.parse(recorded.at) - days * 86_400_000).toISOString()
      writeFileSync(join(folder, name), JSON.stringify({ ...recorded, at }))
    }
  }

  beforeAll(async () => {
    service = await sandbox.listen()
    const rejected = { error: 'no such city' }
    sandbox.faults.inject('artistPlatNAudienceStats', { status: 403 })
    sandbox.faults.inject('/api/artist/7777', { status: 400, body: rejected })
    sandbox.faults.inject('/api/artist/8888', {
      status: 200,
      body: {
        obj: {
          id: 8888,
          name: 'Somebody',
          description: 'Write to jane.doe@example.com or call +49 30 1234567.',
          booking_agent: 'Jane Doe',
          image_url: 'https://img.example.invalid/8888.jpg?sig=c2VjcmV0c2VjcmV0',
          access_token: 'a-token-of-somebody',
        },
      },
    })
    const gateway = await start('record')
    try {
      for (const query of QUERIES) recorded.push(await ask(gateway.url, query))
      await ask(gateway.url, '{ artist(cmId: 8888) { name description bookingAgent imageUrl } }')
    } finally {
      await gateway.kill()
      await sandbox.close()
    }
  }, 120_000)
  afterAll(() => {
    built.remove()
    rmSync(app, { recursive: true, force: true })
  })

  test('keep a file for each request, readable, without secrets and personal data', () => {
    const all = contents()
    expect(all.length).toBeGreaterThan(30)
    const [name = ''] = files().filter((name) => name.startsWith('GET-api-artist-2.'))
    const artist = readFileSync(join(folder, name), 'utf8')
    expect(Object.keys(JSON.parse(artist))).toEqual([
      'request',
      'endpoint',
      'args',
      'status',
      'at',
      'body',
    ])
    expect(JSON.parse(artist)).toMatchObject({ request: 'GET /api/artist/2', status: 200 })
    expect(artist.split('\n').length).toBeGreaterThan(20)
    const missing = JSON.parse(/^```json\n(.*?)^```$/ms.exec(page)?.[1] ?? '')
    const [file = ''] = files().filter((name) => name.startsWith('GET-api-artist-99999999.'))
    expect({ ...JSON.parse(readFileSync(join(folder, file), 'utf8')), at: missing.at }).toEqual(
      missing,
    )
    const text = all.join('')
    for (const secret of [
      'jane.doe',
      '1234567',
      'Jane Doe',
      'c2VjcmV0',
      'a-token-of',
      'eyJ',
      'seed',
    ])
      expect(text).not.toContain(secret)
    const refused = all.map((text) => JSON.parse(text)).filter(({ status }) => status >= 400)
    expect(refused.map(({ request, status }) => [request, status]).sort()).toEqual([
      ['GET /api/artist/7777', 400],
      ['GET /api/artist/99999999', 404],
      ['GET /api/artist/{id}/platN-audience-stats', 403],
    ])
  })

  test('give the same answers byte for byte, in whatever order, for nothing, with the service gone', async () => {
    expect(recorded.filter((text) => text.includes('"data":{'))).toHaveLength(QUERIES.length)
    age(400)
    const before = contents()
    const received = sandbox.meter.requests.length
    const gateway = await start('replay')
    try {
      for (const [at, query] of [...QUERIES.entries()].reverse()) {
        expect(await ask(gateway.url, query), query).toBe(recorded[at])
        const anew = { ...plain, 'cache-control': 'no-cache' }
        expect(await ask(gateway.url, query, anew), query).toBe(recorded[at])
        const { extensions } = JSON.parse(await ask(gateway.url, query, told))
        expect(extensions.credits).toMatchObject({ spent: 0 })
        expect(extensions.credits).not.toHaveProperty('stale')
      }
    } finally {
      await gateway.kill()
    }
    expect(sandbox.meter.requests).toHaveLength(received)
    expect(contents()).toEqual(before)
  }, 120_000)

  test('name what is not recorded, for nothing, and answer the rest', async () => {
    const gateway = await start('replay', { UPSTREAM_URL: '', UPSTREAM_REFRESH_TOKEN: '' })
    try {
      const query = '{ known: artist(cmId: 2) { name } artist(cmId: 4711) { rank } }'
      const { data, errors, extensions } = JSON.parse(await ask(gateway.url, query, told))
      expect(data).toEqual({ known: { name: expect.stringMatching(/\S/) }, artist: null })
      expect(errors).toHaveLength(1)
      expect(errors[0].message).toBe('artist: nothing is held for GET /api/artist/4711')
      expect(errors[0].extensions.code).toBe('NOT_CACHED')
      expect(extensions.credits.spent).toBe(0)
    } finally {
      await gateway.kill()
    }
  }, 60_000)

  test('run a team’s tests in its CI, as the page says', async () => {
    const [script = ''] = /^refrain replay .* &\n(?:[^`\n].*\n)+/m.exec(page) ?? []
    const [port, adminPort] = [await freePort(), await freePort()]
    const command = join(app, 'refrain')
    writeFileSync(command, `#!/bin/sh\nexec node ${join(built.dist, 'cli/main.js')} "$@"\n`)
    chmodSync(command, 0o755)
    const body = JSON.stringify({ query: QUERIES.at(-1) })
    const asking = `curl -sf -H 'content-type: application/json' -d '${body}' http://127.0.0.1:${port}/graphql`
    writeFileSync(join(app, 'package.json'), JSON.stringify({ scripts: { test: asking } }))
    const shell = spawn('sh', ['-c', script.replace('4000', String(port))], {
      cwd: app,
      detached: true,
      env: {
        PATH: `${app}:${process.env.PATH}`,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
      },
    })
    const printed = text(shell.stdout)
    const [status] = await once(shell, 'exit')
    // What it left running in the background ends with its group.
    if (shell.pid !== undefined) process.kill(-shell.pid)
    expect(status).toBe(0)
    expect(await printed).toContain(recorded.at(-1)?.slice(0, 20))
  }, 120_000)

  test('do not buy again what was recorded and is fresh', async () => {
    const again = createSandbox({ clock: systemClock, refreshToken: 'seed' })
    const recordings = { folder: join(app, 'again'), isClosed: false }
    const url = await again.listen()
    const query = '{ charts { platB(countryCode: "US", date: "2025-06-06") { nodes { name } } } }'
    for (const spent of [1, 0]) {
      const opened = openGateway(url, {}, { recordings })
      expect((await opened.query(query)).credits.spent).toBe(spent)
      await opened.gateway.close()
    }
    expect(again.meter.credits).toBe(1)
    await again.close()
  })

  test('name a file that is none', async () => {
    const file = join(folder, 'merged.json')
    writeFileSync(file, '<<<<<<< HEAD\n')
    await expect(start('replay')).rejects.toThrow('merged.json')
    rmSync(file)
  }, 60_000)
})
