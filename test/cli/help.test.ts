import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildGateway } from '../support/gateway-process.ts'

const FILE = fileURLToPath(import.meta.url)
const { dist, close } = buildGateway()
afterAll(close)
vi.setConfig({ testTimeout: 60_000 })

/** Runs a program to its end; one that goes on is killed, and has no code. */
const type = (
  program: 'main.js' | 'cli/main.js',
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const settings = {
      PATH: process.env.PATH,
      STATE_DIR: 'off',
      ADMIN_PORT: '0',
      PORT: '0',
      ...env,
    }
    execFile(
      process.execPath,
      [join(dist, program), ...words],
      { env: settings, timeout: 60_000 },
      (failure, out, err) => resolve({ code: failure === null ? 0 : failure.code, out, err }),
    )
  })

describe('who asks for help is told, and nothing is begun', () => {
  test.each([['--help'], ['-h'], ['--check-config', '--help']])('gateway: %s', async (...words) => {
    const { code, out, err } = await type('main.js', words)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('--check-config')
    expect(out).not.toContain('listens on http')
  })

  test.each([
    [['--help'], 'refrain token seal'],
    [['client', '--help'], 'refrain client add'],
    [['client', 'add', 'web', '-h'], 'refrain client add'],
    [['price', '--help'], 'refrain price'],
    [['record', '--help'], 'refrain record'],
    [['replay', '--help'], 'refrain record'],
    [['cache', '--help'], 'refrain cache purge'],
    [['token', '--help'], 'refrain token seal'],
  ])('refrain %j', async (words, told) => {
    const { code, out, err } = await type('cli/main.js', words)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(told)
  })

  test('an option that there is not is named without what was given to it', async () => {
    const gateway = await type('main.js', ['--token=hunter2'])
    expect(gateway.code).toBe(2)
    expect(gateway.err).toMatch(/^--token: no such option\n/)
    for (const words of [['record', '--token=hunter2'], ['--token=hunter2']])
      expect((await type('cli/main.js', words)).err).not.toContain('hunter2')
    expect(gateway.err).not.toContain('hunter2')
  })

  test('refrain without a command is told the same as a fault', async () => {
    const { code, out, err } = await type('cli/main.js', [])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('refrain client add')
  })

  test.each([
    [['clients'], /^clients: no such command; there are price, client, /],
    [['client'], /^refrain client add <name>/],
    [['client', 'add'], /^refrain client add <name>/],
    [['client', 'list'], /^Which file\? Set CLIENTS_FILE/],
    [['client', 'list', '--file', 'none.json'], /^none\.json: no such file or folder\n$/],
    [['price', 'none'], /^none: no such file or folder\n$/],
    [['price', 'none', '--variables', 'no.json'], /^no\.json: no such file or folder\n$/],
  ])('refrain %j is told what is wrong with it', async (words, told) => {
    const { code, out, err } = await type('cli/main.js', words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(told)
  })

  test('refrain replay of a folder that is not there is told which', async () => {
    const { code, err } = await type('cli/main.js', ['replay', '--dir', 'none'])
    expect([code, err]).toEqual([1, 'none: no such file or folder\n'])
  })

  test.each(['--check-confg', '--version', 'start'])('gateway: %s opens nothing', async (word) => {
    const { code, out, err } = await type('main.js', [word])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(new RegExp(`^${word}: no such option\n`))
    expect(err).toContain('--check-config')
  })
})

test.each(['PORT', 'ADMIN_PORT'])(
  'a port that is taken ends it, by the name of %s, and it says nothing of what listens',
  async (name) => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const port = String((other.address() as AddressInfo).port)
    const { code, out, err } = await type('main.js', [], { [name]: port })
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`${name}=${port} on 127.0.0.1: somebody else listens there already`)
  },
)

/** In each of these Node makes no folder; the first it would try for ever. */
const NOWHERE = [...(existsSync('/proc/self') ? ['/proc/none', '/proc/none/state'] : []), FILE]

test.each(NOWHERE)(
  'a folder that can never be ends it, by the name of STATE_DIR: %s',
  async (at) => {
    const { code, err } = await type('main.js', [], { STATE_DIR: at })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`^STATE_DIR=${at}: no folder can be made there \\(E[A-Z]+\\)$`, 'm'),
      ),
    ])
    const purge = ['cache', 'purge', '--all', '--state-dir', at]
    expect((await type('cli/main.js', purge)).code).toBe(2)
  },
)
