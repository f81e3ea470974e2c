import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import type { Signal } from '../../src/signal.ts'
import { bearer, fileOf, hashOf, type Listed, openClients } from '../support/clients.ts'

const ARTIST = '{ artist(cmId: 5) { rank } }'
const PREMIUM = '{ artist(cmId: 5) { premium { wherePeopleListen } } }'

/** Milliseconds between two looks at the file. */
const LOOK = 2_000

/** A clock that waits for the next look until the test says so. */
const lookingClock = () => {
  const waits = new Set<() => void>()
  return {
    clock: {
      ...systemClock,
      sleep(ms: number, signal?: Signal) {
        if (ms !== LOOK) return systemClock.sleep(ms, signal)
        return new Promise<void>((resolve) => {
          waits.add(resolve)
          signal?.addEventListener('abort', () => resolve())
        })
      },
    },
    async turn() {
      for (const resolve of [...waits]) resolve()
      waits.clear()
      // A look reads a file: the loop turns until it waits for the next one.
      while (waits.size === 0) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const open = async (...clients: readonly Listed[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'refrain-clients-'))
  const file = join(folder, 'clients.json')
  await writeFile(file, fileOf(...clients))
  const { clock, turn } = lookingClock()
  const opened = await openClients([], {
    env: { CLIENTS_FILE: file },
    files: { [file]: fileOf(...clients) },
    parts: { clock },
  })
  await opened.gateway.open()
  onTestFinished(() => rm(folder, { recursive: true }))
  const put = async (text: string) => {
    await writeFile(file, text)
    for (let look = 0; look < 3; look += 1) await turn()
  }
  const codeFor = async (name: string, text = ARTIST) =>
    (await opened.query(text, {}, bearer(name))).errors[0]?.extensions.code
  return { ...opened, file, put, turn, codeFor }
}

describe('the file of clients, while the gateway runs', () => {
  test('lets a new client in and a revoked one out, without a restart', async () => {
    const { put, codeFor } = await open({ name: 'web' })
    expect([await codeFor('web'), await codeFor('app')]).toEqual([undefined, 'UNAUTHENTICATED'])
    await put(fileOf({ name: 'app' }))
    expect([await codeFor('web'), await codeFor('app')]).toEqual(['UNAUTHENTICATED', undefined])
  })

  test('changes what a client may ask, also where its answer is finished', async () => {
    const { put, codeFor } = await open({ name: 'web', premium: true })
    for (let turn = 0; turn < 3; turn += 1) expect(await codeFor('web', PREMIUM)).toBeUndefined()
    await put(fileOf({ name: 'web', premium: false }))
    for (let turn = 0; turn < 3; turn += 1) expect(await codeFor('web', PREMIUM)).toBe('FORBIDDEN')
  })

  test('changes a budget and keeps what was spent of it', async () => {
    const { put, query } = await open({ name: 'web', creditsPerDay: 5, creditsPerMonth: 9 })
    const budgets = async () =>
      (
        await query('{ credits { budgets { limit remaining } } }', {}, bearer('web'))
      ).data.credits.budgets.map(({ limit, remaining }: Record<string, number>) => [
        limit,
        remaining,
      ])
    await query(ARTIST, {}, bearer('web'))
    expect(await budgets()).toEqual([
      [5, 4],
      [9, 8],
    ])
    await put(fileOf({ name: 'web', creditsPerDay: 2, creditsPerMonth: 9, premium: true }))
    expect(await budgets()).toEqual([
      [2, 1],
      [9, 8],
    ])
  })

  test.each([
    ['is half written', '{"clients":['],
    ['is no list', '{"clients":{}}'],
    ['has a client without a name', '{"clients":[{"keyHash":"x"}]}'],
    ['is empty', ''],
  ])('holds as it was where it %s', async (_, text) => {
    const { put, codeFor } = await open({ name: 'web' })
    await put(text)
    expect(await codeFor('web')).toBeUndefined()
    await put(fileOf({ name: 'app' }))
    expect(await codeFor('app')).toBeUndefined()
  })

  test('is taken over where it binds a client to documents that nobody set, and says what comes of it', async () => {
    const { put, codeFor, gateway } = await open({ name: 'web' })
    const warn = vi.spyOn(gateway.log, 'warn')
    await put(fileOf({ name: 'web' }, { name: 'ci', documentsOnly: true }))
    expect([await codeFor('web'), await codeFor('ci')]).toEqual([undefined, 'FORBIDDEN'])
    expect(warn.mock.calls.join()).toContain(
      'client ci is bound to trusted documents, and DOCUMENTS_FILE is not set',
    )
  })

  test('holds as it was where it is away', async () => {
    const { file, turn, codeFor } = await open({ name: 'web' })
    await rm(file)
    await turn()
    await turn()
    expect(await codeFor('web')).toBeUndefined()
    await writeFile(file, '')
  })
})

describe('the file of clients, before the gateway listens', () => {
  const faults = (text: string, env: Record<string, string> = {}) => {
    const reading = readConfig({ SANDBOX: '1', CLIENTS_FILE: 'clients.json', ...env }, () => text)
    return reading.ok ? [] : reading.faults
  }
  const one = (more: object) => fileOf({ name: 'web', ...more })
  const twice = (more: object) =>
    JSON.stringify({
      clients: [
        { name: 'web', keyHash: hashOf('one') },
        { name: 'web', keyHash: hashOf('two'), ...more },
      ],
    })

  test.each([
    ['no JSON', 'hunter2'],
    ['a list', '[]'],
    ['no object', '{"clients":[5]}'],
    ['no name', '{"clients":[{"keyHash":"sha256:00"}]}'],
    ['no hash', '{"clients":[{"name":"web"}]}'],
    ['a key in place of its hash', one({ keyHash: 'hunter2' })],
    ['a name with a space', fileOf({ name: 'a b' })],
    ['the name of whoever has none', fileOf({ name: 'anonymous' })],
    ['the name of the router', fileOf({ name: 'router' })],
    ['a member that means nothing', one({ creditsPerWeek: 5 })],
    [
      '__proto__',
      '{"clients":[{"name":"web","keyHash":"sha256:00","__proto__":{"premium":true}}]}',
    ],
    ['a budget below nothing', one({ creditsPerDay: -1 })],
    ['a budget in words', one({ creditsPerDay: '5' })],
    ['a right in words', one({ premium: 'yes' })],
    ['no slot', one({ slots: 0 })],
    ['no operation', one({ operations: 0 })],
    ['more operations than all clients may have', one({ operations: 513 })],
    ['half an operation', one({ operations: 1.5 })],
    ['two rights of one client', twice({ premium: true })],
    [
      'one key of two clients',
      fileOf({ name: 'a', keyHash: hashOf('k') }, { name: 'b', keyHash: hashOf('k') }),
    ],
  ])('may not hold %s, and a fault quotes none of it', (_, text) => {
    expect(faults(text)).toEqual([
      expect.stringMatching(/^CLIENTS_FILE: expected JSON with a list of clients, got /),
    ])
    expect(faults(text).join()).not.toContain('hunter2')
  })

  test('may hold all that is said of a client, and two keys of one', () => {
    const all = {
      creditsPerDay: 5000,
      creditsPerMonth: 100_000,
      creditsPerOperation: 50,
      slots: 4,
      operations: 512,
      premium: false,
      documentsOnly: false,
      reports: true,
    }
    expect(faults(one(all))).toEqual([])
    expect(faults(twice({}))).toEqual([])
  })

  test('lets the gateway listen where others reach it', () => {
    expect(faults(one({}), { HOST: '0.0.0.0' })).toEqual([])
    const reading = readConfig({ SANDBOX: '1', HOST: '0.0.0.0' }, () => '')
    expect(reading.ok || reading.faults.join()).toMatch(/^HOST: expected a loopback address/)
  })

  test('names documents only where there are some to trust', () => {
    expect(faults(one({ documentsOnly: true }))).toEqual([
      expect.stringMatching(/^DOCUMENTS_FILE: /),
    ])
  })
})
