import { chmod, mkdtemp, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFileBoard } from '../../src/board/file.ts'
import { describeConfig, type Environment, readConfig } from '../../src/config.ts'

const GOOD = { UPSTREAM_URL: 'https://api.example', UPSTREAM_REFRESH_TOKEN: 'hunter2' }
const reading = (env: Environment) => readConfig({ ...GOOD, ...env }, () => 'hunter2')
const faultsOf = (env: Environment) => {
  const read = reading(env)
  return read.ok ? [] : read.faults
}

describe('settings', () => {
  test('49: what is printed of them holds no secret', () => {
    const key = Buffer.alloc(32, 7).toString('base64')
    const read = reading({ STATE_KEY: key, FEDERATION_SECRET: 'hunter3,hunter4' })
    if (!read.ok) throw new Error(read.faults.join())
    const text = `${describeConfig(read.config)}${JSON.stringify(read.config)}`
    expect(text).toContain('UPSTREAM_REFRESH_TOKEN=[secret]')
    for (const word of ['hunter2', 'hunter3', 'hunter4', key]) expect(text).not.toContain(word)
  })

  test('49: nor is the query of an address printed, or quoted by a fault', () => {
    const jwt = { JWT_ISSUER: 'https://a.example', JWT_AUDIENCE: 'refrain' }
    const read = reading({ ...jwt, JWT_JWKS_URL: 'https://a.example/keys?p=hunter2' })
    if (!read.ok) throw new Error(read.faults.join())
    expect(read.config.jwtJwksUrl).toBe('https://a.example/keys?p=hunter2')
    const text = describeConfig(read.config)
    expect(text).toContain('JWT_JWKS_URL=https://a.example/keys?[secret]\n')
    expect(text).not.toContain('hunter2')
    const faults = faultsOf({ ...jwt, JWT_JWKS_URL: 'http://a.example/keys?p=hunter2' })
    expect(faults.join()).toMatch(/^JWT_JWKS_URL: expected https.*, got "[^"]*keys\?\[secret\]"$/)
  })

  test('49: nor what an issuer or an audience that is an address holds, which count as they came', () => {
    const jwt = {
      JWT_ISSUER: 'https://ju:hunter3@a.example/?x=hunter4',
      JWT_JWKS_URL: 'https://a.example/keys',
      JWT_AUDIENCE: 'https://ju:hunter5@b.example#hunter6',
    }
    const read = reading(jwt)
    if (!read.ok) throw new Error(read.faults.join())
    expect(read.config.jwtIssuer).toBe(jwt.JWT_ISSUER)
    expect(read.config.jwtAudience).toBe(jwt.JWT_AUDIENCE)
    const text = describeConfig(read.config)
    expect(text).toContain('JWT_ISSUER=https://[secret]@a.example/?[secret]\n')
    expect(text).toContain('JWT_AUDIENCE=https://[secret]@b.example?[secret]\n')
    expect(text).not.toMatch(/hunter[3-6]|ju:/)
    const plain = reading({ ...jwt, JWT_ISSUER: 'https://a.example', JWT_AUDIENCE: 'refrain' })
    if (!plain.ok) throw new Error(plain.faults.join())
    expect(describeConfig(plain.config)).toContain('JWT_ISSUER=https://a.example\n')
    const faults = faultsOf({ ...jwt, JWT_ISSUER: 'https://ju:hunter 3@a.example/?x=hunter4' })
    expect(faults.join()).toMatch(
      /^JWT_ISSUER: expected up to.*got "https:\/\/\[secret\]@a.example/,
    )
    expect(faults.join()).not.toMatch(/hunter|ju:/)
  })

  test('49: nor does a fault that quotes them', () => {
    const faults = faultsOf({
      STATE_KEY: 'hunter5',
      UPSTREAM_URL: 'https://user:hunter6@api.example',
      FEDERATION_SECRET: 'hunter7 and 8',
      CORS_ORIGINS:
        'https://a.example,https://user:hunter9,9@b.example,https://c.example/?a=hunter10',
      REDIS_URL: 'redis//:hunter11',
      JWT_JWKS_URL: 'ftp://a.example/?key=hunter12',
    })
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'UPSTREAM_URL',
      'STATE_KEY',
      'REDIS_URL',
      'CORS_ORIGINS',
      'FEDERATION_SECRET',
      'JWT_JWKS_URL',
      'JWT_ISSUER',
      'JWT_AUDIENCE',
    ])
    expect(faults.join()).not.toMatch(/hunter/)
  })

  test.each([
    'HOST',
    'ADMIN_HOST',
    'TRUST_PROXY',
    'CORS_ORIGINS',
    'PORT',
    'LOG_LEVEL',
    'JWT_JWKS_URL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'DOCUMENTS_FILE',
    'NODE_ENV',
  ])('49: an address that got into %s is told without what lets somebody in', (name) => {
    for (const text of [
      'redis://u:hunter3@h:6379/0',
      'https:u:hunter3@h',
      'u:hunter3@h:99',
      '//u:hunter3@h',
      'https://u:a@hunter@h/p?k=hunter3#hunter4',
      'https://h/p?k=hunter3',
      'https://a.b, https://u:hunter3@h',
    ]) {
      const read = readConfig({ ...GOOD, [name]: text }, () => {
        throw new Error('hunter5')
      })
      const told = read.ok ? [describeConfig(read.config), ...read.warnings] : read.faults
      expect(told.join(), text).toContain(name)
      expect(told.join(), text).not.toContain('hunter')
    }
  })

  test('49: a path is told whole', () => {
    const read = reading({ STATE_DIR: '/var/lib/refrain@blue#1' })
    if (!read.ok) throw new Error(read.faults.join())
    expect(describeConfig(read.config)).toContain('STATE_DIR=/var/lib/refrain@blue#1\n')
  })

  test.each([
    'http://api.example',
    'http://10.0.0.1',
    'ftp://api.example',
    'https://user:pass@api.example',
    'https://api.example/?a=1',
    'https://api.example/#a',
    'api.example',
    'javascript:alert(1)',
  ])('61: %s is no address of the service', (url) => {
    expect(faultsOf({ UPSTREAM_URL: url }).join()).toMatch(/^UPSTREAM_URL: /)
  })

  test.each([
    'https://api.example',
    'https://api.example:8443/v1/',
    'https://10.0.0.1',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'http://localhost',
  ])('61: %s is one', (url) => {
    expect(faultsOf({ UPSTREAM_URL: url })).toEqual([])
  })

  test('61: plain http off this machine needs saying', () => {
    expect(faultsOf({ UPSTREAM_URL: 'http://api.example', ALLOW_PLAINTEXT: '1' })).toEqual([])
  })

  test.each([
    ['redis://redis.internal:6379/0', false],
    ['redis://:hunter2@redis.internal:6379/0', false],
    ['rediss://redis.internal:6379/0', false],
    ['redis://10.0.0.1', false],
    ['rediss://:hunter2@redis.internal:6379/0', true],
    ['redis://127.0.0.1:6379/0', true],
    ['redis://localhost', true],
  ])(
    '43: a Redis off this machine has TLS and a password, or that is said to be meant: %s',
    (url, fits) => {
      const faults = faultsOf({ REDIS_URL: url })
      expect(faults).toHaveLength(fits ? 0 : 1)
      expect(faults.join()).toMatch(fits ? /^$/ : /^REDIS_URL: expected rediss:.*ALLOW_PLAINTEXT=1/)
      expect(faults.join()).not.toContain('hunter2')
      expect(faultsOf({ REDIS_URL: url, ALLOW_PLAINTEXT: '1' })).toEqual([])
    },
  )

  test('63: unchecked certificates are a fault, a proxy of the environment a warning', () => {
    expect(faultsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }).join()).toMatch(
      /^NODE_TLS_REJECT_UNAUTHORIZED: /,
    )
    for (const name of ['HTTP_PROXY', 'https_proxy', 'ALL_PROXY']) {
      const read = reading({ [name]: 'http://evil.example' })
      expect(read.ok && read.warnings.join()).toMatch(
        new RegExp(`^${name.toUpperCase()}: not used`),
      )
    }
  })
})

describe('the file of the token', () => {
  const open = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-setting-'))
    await createFileBoard(folder).write('token', { gen: 1, text: 'hunter2' }, undefined)
    const [name = ''] = (await readdir(folder)).filter((file) => file.startsWith('token'))
    return { folder, path: join(folder, name) }
  }

  test('51: it is readable by its owner only, and made so again where it is not', async () => {
    const { folder, path } = await open()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await chmod(path, 0o644)
    expect((await createFileBoard(folder).read('token'))?.text).toBe('hunter2')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('51: a link in its place is not followed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refrain-setting-'))
    const elsewhere = join(folder, 'elsewhere')
    await writeFile(elsewhere, JSON.stringify({ gen: 9, text: 'of somebody else' }))
    await symlink(elsewhere, join(folder, 'token.1.json'))
    await expect(createFileBoard(folder).read('token')).rejects.toThrow(/is a symbolic link/)
  })

  test('51: one of another owner is not taken', async () => {
    const { folder } = await open()
    const owner = process.getuid?.() ?? 0
    vi.spyOn(process, 'getuid').mockReturnValue(owner + 1)
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(createFileBoard(folder).read('token')).rejects.toThrow(/belongs to another user/)
  })
})
