import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { clientCommand } from '../../src/cli/client.ts'
import { openGateway } from '../support/gateway.ts'

const folders: string[] = []
let file = ''
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'refrain-client-'))
  folders.push(folder)
  file = join(folder, 'clients.json')
})
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const client = (...args: string[]) => clientCommand(args, file)
const added = (...args: string[]) => client('add', ...args).split('\n')[0] ?? ''
const text = () => readFileSync(file, 'utf8')

/** What a gateway with this file says to a key. */
const codeFor = async (key: string) => {
  const env = { CLIENTS_FILE: 'clients.json' }
  const { gateway, query } = openGateway('http://127.0.0.1:9', env, {}, text())
  const { errors } = await query('{ __typename }', {}, { 'x-api-key': key })
  await gateway.close()
  return errors[0]?.extensions.code
}

describe('refrain client', () => {
  test('adds a client whose key the gateway takes, and keeps the key nowhere', async () => {
    const key = added(
      'web',
      '--credits-per-day',
      '5000',
      '--slots',
      '4',
      '--operations',
      '8',
      '--premium',
    )
    expect(key).toMatch(/^rfr_[\w-]{43}$/)
    expect(text()).not.toContain(key)
    expect(JSON.parse(text()).clients).toEqual([
      {
        name: 'web',
        creditsPerDay: 5000,
        slots: 4,
        operations: 8,
        premium: true,
        keyHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect([await codeFor(key), await codeFor(`${key}x`)]).toEqual([undefined, 'UNAUTHENTICATED'])
  })

  test('gives a client a second key, and takes the first one back', async () => {
    const first = added('web', '--no-reports')
    const second = added('web')
    expect(first).not.toBe(second)
    expect([await codeFor(first), await codeFor(second)]).toEqual([undefined, undefined])
    const [line = ''] = client('list').split('\n')
    const [name, hash = '', ...settings] = line.split('  ')
    expect([name, settings]).toEqual(['web', ['reports=false']])
    expect(client('revoke', 'web', '--key', hash)).toBe('web: 1 key revoked')
    expect([await codeFor(first), await codeFor(second)]).toEqual(['UNAUTHENTICATED', undefined])
  })

  test('revokes a client with all of its keys, and no other', async () => {
    const [web, again, app] = [added('web'), added('web'), added('app')]
    expect(client('revoke', 'web')).toBe('web: 2 keys revoked')
    expect(await Promise.all([web, again, app].map(codeFor))).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
      undefined,
    ])
    client('revoke', 'app')
    expect(client('list')).toBe(`${file} has no clients.`)
  })

  test.each([
    [['add', 'a b'], /name of client 1 that is not/],
    [['add', 'router'], /name of client 1 that is not/],
    [['add', 'web', '--credits-per-day', 'many'], /creditsPerDay of client web that is not/],
    [['add', 'web', '--weekly'], /weekly/],
    [['revoke', 'web'], /ENOENT/],
    [['list', 'web'], /^refrain client add/],
    [['add'], /^refrain client add/],
    [['drop', 'web'], /^refrain client add/],
  ])('writes nothing for %j', (args, complaint) => {
    expect(() => client(...args)).toThrow(complaint)
    expect(() => text()).toThrow(/ENOENT/)
  })

  test('leaves a file alone that the gateway would not take, and a client that would be two', () => {
    writeFileSync(file, '{"clients":{}}')
    expect(() => client('add', 'web')).toThrow(/no list under "clients"/)
    expect(text()).toBe('{"clients":{}}')
    writeFileSync(file, '{"clients":[]}')
    added('web')
    const before = text()
    expect(() => client('add', 'web', '--premium')).toThrow(
      /web is there already, without premium=true.*edit each entry of web in /,
    )
    expect(() => client('revoke', 'nobody')).toThrow(/no such key of nobody/)
    expect(text()).toBe(before)
  })

  test('is told where the file is', () => {
    expect(() => clientCommand(['list'], undefined)).toThrow(/CLIENTS_FILE/)
    expect(clientCommand(['add', 'web', '--file', file], undefined)).toMatch(/^rfr_/)
  })
})
