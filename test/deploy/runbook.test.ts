import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { buildGateway } from '../support/gateway-process.ts'

const PAGE = readFileSync('docs/runbooks.md', 'utf8')
const commandsUnder = (heading: string): string[] =>
  [
    ...(PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(
      /```sh\n([\s\S]*?)```/g,
    ),
  ].map(([, text = '']) => text)

const built = buildGateway()
const folder = mkdtempSync(join(tmpdir(), 'refrain-runbook-'))
const state = join(folder, 'state')
const tokenFile = join(folder, 'token')
const sandbox = createSandbox({ clock: systemClock, refreshToken: 'good' })
let env: Record<string, string> = {}
let gateway: Awaited<ReturnType<typeof built.start>>
const told = new Set<string>()

/** What stands under a heading of the page, as somebody would type it in the checkout. */
const typed = async (
  heading: string,
  more: Record<string, string> = {},
  at = 0,
): Promise<string> => {
  const text = commandsUnder(heading)[at] ?? ''
  told.add(text)
  const line = text.replaceAll('http://127.0.0.1:4001', gateway.operator)
  const { stdout } = await promisify(execFile)('sh', ['-ec', line], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env, ...more },
  })
  return stdout
}
const ask = async (query: string) => {
  const answer = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { extensions } = JSON.parse(await answer.text())
  return extensions?.credits?.spent
}
const restart = async () => {
  gateway.signal('SIGINT')
  await gateway.exited
  gateway = await built.start(env)
}

const CHART = '{ charts { platB(countryCode: "US", date: "2025-04-23") { nodes { rank } } } }'
const ARTIST = '{ artist(cmId: 5) { rank } }'

beforeAll(async () => {
  const url = await sandbox.listen()
  writeFileSync(tokenFile, 'lost')
  mkdirSync(state, { mode: 0o700 })
  symlinkSync(built.dist, join(folder, 'dist'))
  env = {
    UPSTREAM_URL: url,
    UPSTREAM_REFRESH_TOKEN_FILE: tokenFile,
    STATE_DIR: state,
    CREDITS_PER_DAY: '100',
  }
  gateway = await built.start(env)
}, 60_000)

afterAll(async () => {
  await built.close()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the settings are told, without what is secret', async () => {
  const lines = (await typed('Reading --check-config')).split('\n')
  expect(lines).toContain('CREDITS_PER_DAY=100')
  expect(lines).toContain('UPSTREAM_REFRESH_TOKEN=[secret]')
  await expect(typed('Reading --check-config', { CREDITS_PER_DAY: 'few' })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('CREDITS_PER_DAY: expected a whole number'),
  })
})

test('a lost token is seen, and a new one in its file makes it ready', async () => {
  const readiness = async () => JSON.parse(await typed('Not ready'))
  await vi.waitFor(async () => expect((await readiness()).token).toBe('REJECTED'), 20_000)
  await typed('A lost token', { NEW_TOKEN: 'good' })
  await vi.waitFor(async () => expect((await readiness()).ready).toBe(true), 20_000)
})

test('the spender of a budget is named, and so is what the service does', async () => {
  expect(await ask(ARTIST)).toBe(1)
  const credits = JSON.parse(await typed('The budget ends'))
  expect(credits).toMatchObject({ spent: 1, budgets: [{ period: 'DAY', remaining: 99 }] })
  expect(await typed('The service fails')).toContain(
    'refrain_upstream_requests_total{endpoint="artist",status="2xx"} 1',
  )
})

test('what is purged beside a gateway is bought anew by the next one, all else is held', async () => {
  expect(await ask(CHART)).toBe(1)
  // An answer is written behind the back of who asks.
  await vi.waitFor(
    async () => expect(await typed('Purging')).toMatch(/^1 answer taken out, 1 left/),
    20_000,
  )
  await restart()
  expect([await ask(ARTIST), await ask(CHART)]).toEqual([0, 1])
})

test('answers come back from a copy, and a purge of all leaves none', async () => {
  gateway.signal('SIGINT')
  await gateway.exited
  await typed('Backing up STATE_DIR')
  expect(await typed('Upgrading the state format')).toBe('2 answers taken out, 0 left\n')
  await typed('Backing up STATE_DIR', {}, 1)
  gateway = await built.start(env)
  expect([await ask(ARTIST), await ask(CHART)]).toEqual([0, 0])
})

test('no command of the page was left out', () => {
  const all = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  expect(all.filter((text) => !told.has(text))).toEqual([])
})
