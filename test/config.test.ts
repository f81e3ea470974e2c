import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Config, describeConfig, type Environment, readConfig } from '../src/config.ts'

const TOKEN = 'seed-of-the-operator'
const KEY = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const SERVICE = { UPSTREAM_URL: 'https://api.example.com', UPSTREAM_REFRESH_TOKEN: TOKEN }

const noFile = (path: string): string => {
  throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' })
}
const read = (env: Environment, readFile = noFile) => {
  const reading = readConfig(env, readFile)
  if (!reading.ok) throw new Error(reading.faults.join('\n'))
  return reading
}
const config = (env: Environment): Config => read(env).config
const faults = (env: Environment, readFile = noFile): readonly string[] => {
  const reading = readConfig(env, readFile)
  return reading.ok ? [] : reading.faults
}

describe('without any variable', () => {
  it('the sandbox answers on loopback, nothing is written to disk, the explorer is on', () => {
    expect(config({})).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      adminHost: '127.0.0.1',
      adminPort: 4001,
      sandbox: true,
      upstreamUrl: undefined,
      stateDir: undefined,
      creditsPerOperation: 200,
      cacheMaxMb: 256,
      upstreamConcurrency: 16,
      upstreamRps: undefined,
      upstreamTimeoutMs: 8000,
      operationTimeoutMs: 10_000,
      corsOrigins: [],
      graphiql: true,
      introspection: true,
      logLevel: 'info',
    })
  })

  it('the plan bills all but 401 and the token', () => {
    expect(config({}).billed).toEqual({ requests: true, token: false, free: [401] })
  })

  it('an empty variable counts as unset', () => {
    expect(config({ PORT: '', UPSTREAM_URL: ' ', GRAPHIQL: '' })).toEqual(config({}))
  })

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(config({}))).toBe(true)
  })
})

describe('what is nearly a variable', () => {
  const warnings = (env: Environment) => read(env).warnings

  it('is told, with the one that may be meant', () => {
    expect(
      warnings({ CREDIT_PER_DAY: '5', REDIS_URI: 'redis://a', PROT: '80', cache_max_mb: '9' }),
    ).toEqual([
      'CREDIT_PER_DAY: not read, CREDITS_PER_DAY may be meant',
      'REDIS_URI: not read, REDIS_URL may be meant',
      'PROT: not read, PORT may be meant',
      'cache_max_mb: not read, CACHE_MAX_MB may be meant',
    ])
    expect(warnings({ UPSTREAM_ULR: 'https://api.example.com' })).toEqual([
      'UPSTREAM_ULR: not read, UPSTREAM_URL may be meant',
    ])
  })

  it('is not told where that one is set too, or where it is far from any', () => {
    expect(warnings({ REDIS_URI: 'redis://a', REDIS_URL: 'redis://127.0.0.1' })).toEqual([])
    const others = { HOME: '/root', PATH: '/bin', SHELL: 'sh', TERM: 'xterm', LOGNAME: 'me' }
    const injected = { REFRAIN_PORT: 'tcp://a', REDIS_PORT: 'tcp://b', REDIS_SERVICE_HOST: 'c' }
    expect(warnings({ ...others, ...injected, OTEL_SERVICE_NAME: 'refrain' })).toEqual([])
  })

  it('is an environment that is not called production, and will not be one', () => {
    expect(warnings({ NODE_ENV: 'prod' })).toEqual([
      'NODE_ENV: "prod" counts as development, as everything but production does',
    ])
    for (const NODE_ENV of ['development', 'test', '']) expect(warnings({ NODE_ENV })).toEqual([])
  })
})

describe('proxies', () => {
  it('are addresses and networks; a name, a port and all addresses at once are none', () => {
    expect(config({}).trustProxy).toEqual([])
    expect(config({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,2001:db8::/32' }).trustProxy).toEqual([
      '127.0.0.1',
      '10.0.0.0/8',
      '2001:db8::/32',
    ])
    for (const wrong of [
      'proxy',
      '10.0.0.1:80',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      '10.0.0.0/8/8',
    ])
      expect(faults({ TRUST_PROXY: wrong })).toEqual([
        `TRUST_PROXY: expected addresses or networks such as 10.0.0.0/8, comma-separated, got "${wrong}"`,
      ])
  })
})

describe('the service', () => {
  it('replaces the sandbox and keeps its token record in .refrain', () => {
    const set = config(SERVICE)
    expect(set).toMatchObject({ sandbox: false, upstreamUrl: 'https://api.example.com' })
    expect(set.stateDir).toBe('.refrain')
    expect(set.upstreamRefreshToken?.reveal()).toBe(TOKEN)
  })

  it('may keep nothing on disk', () => {
    expect(config({ ...SERVICE, STATE_DIR: 'off' }).stateDir).toBeUndefined()
  })

  it.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com:8443/v1/', 'https://api.example.com:8443/v1'],
    ['https://192.0.2.7', 'https://192.0.2.7'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['http://[::1]:9000', 'http://[::1]:9000'],
    ['http://localhost', 'http://localhost'],
  ])('may be at %s', (given, taken) => {
    expect(config({ ...SERVICE, UPSTREAM_URL: given }).upstreamUrl).toBe(taken)
  })

  it.each([
    'api.example.com',
    'ftp://api.example.com',
    'https://api.example.com?key=1',
    'https://api.example.com/#a',
    'https://user@api.example.com',
    '//api.example.com',
  ])('may not be at %s', (url) => {
    expect(faults({ ...SERVICE, UPSTREAM_URL: url })).toEqual([
      expect.stringContaining('UPSTREAM_URL: expected an http or https URL without user'),
    ])
  })

  it('is not repeated with its password when it has one', () => {
    const faultOf = (UPSTREAM_URL: string) => faults({ ...SERVICE, UPSTREAM_URL })[0]
    expect(faultOf('https://me:pass@api.example.com/v1?k=v3ry')).toMatch(
      /, got "https:\/\/\[secret\]@api\.example\.com\/v1\?\[secret\]"$/,
    )
    // Where nothing tells what is the password, nothing is repeated.
    for (const text of ['https://me:p/ss@api.example.com', 'ht!tp://v3ry', 'me:v3ry', 'v3ry'])
      expect(faultOf(text)).toMatch(/fragment, got \d+ characters that are no URL$/)
  })

  it('is not spoken to in the clear off this machine unless that is allowed', () => {
    const env = { ...SERVICE, UPSTREAM_URL: 'http://api.example.com' }
    expect(faults(env)).toEqual([expect.stringMatching(/^UPSTREAM_URL: expected https/)])
    expect(faults({ ...env, UPSTREAM_URL: 'http://localhost.example.com' })).toHaveLength(1)
    expect(config({ ...env, ALLOW_PLAINTEXT: '1' }).upstreamUrl).toBe('http://api.example.com')
  })

  it('is not believed without its certificate unless that is allowed', () => {
    const env = { ...SERVICE, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect(faults(env)).toEqual([expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED')])
    expect(faults({ ...env, ALLOW_PLAINTEXT: '1' })).toEqual([])
    expect(faults({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([])
  })

  it('does not go through a proxy, and says so', () => {
    const { warnings } = read({ ...SERVICE, https_proxy: 'http://proxy.example.com' })
    expect(warnings).toEqual([expect.stringContaining('HTTPS_PROXY: not used')])
  })
})

describe('the refresh token', () => {
  const { UPSTREAM_URL } = SERVICE

  it('is needed where the service is named', () => {
    expect(faults({ UPSTREAM_URL })).toEqual([
      expect.stringMatching(/^UPSTREAM_REFRESH_TOKEN: .*UPSTREAM_REFRESH_TOKEN_FILE/),
    ])
  })

  it('loses whitespace around it, with a warning', () => {
    const { config, warnings } = read({ UPSTREAM_URL, UPSTREAM_REFRESH_TOKEN: ` ${TOKEN}\t` })
    expect(config.upstreamRefreshToken?.reveal()).toBe(TOKEN)
    expect(warnings).toEqual([expect.stringContaining('UPSTREAM_REFRESH_TOKEN: whitespace')])
  })

  it('is read from a file, whose last line end is no reason to warn', () => {
    const env = { UPSTREAM_URL, UPSTREAM_REFRESH_TOKEN_FILE: '/run/secrets/token' }
    const files: string[] = []
    const { config, warnings } = read(env, (path) => {
      files.push(path)
      return `${TOKEN}\n`
    })
    expect(config.upstreamRefreshToken?.reveal()).toBe(TOKEN)
    expect(files).toEqual(['/run/secrets/token'])
    expect(warnings).toEqual([])
    expect(read(env, () => ` ${TOKEN}\n`).warnings).toHaveLength(1)
  })

  it('is missed when its file is not there or empty', () => {
    const env = { UPSTREAM_URL, UPSTREAM_REFRESH_TOKEN_FILE: '/run/secrets/token' }
    expect(faults(env)).toEqual([
      'UPSTREAM_REFRESH_TOKEN_FILE: expected a file that can be read, got "/run/secrets/token" (ENOENT)',
    ])
    expect(faults(env, () => ' \n')).toEqual([expect.stringContaining('got an empty one')])
  })

  it('is in one line', () => {
    const told = 'expected a token in one line, got one with a line break or the like'
    expect(faults({ UPSTREAM_URL, UPSTREAM_REFRESH_TOKEN: `${TOKEN}\nx` })).toEqual([
      `UPSTREAM_REFRESH_TOKEN: ${told}`,
    ])
    expect(
      faults({ UPSTREAM_URL, UPSTREAM_REFRESH_TOKEN_FILE: '/t' }, () => `${TOKEN}\nx\n`),
    ).toEqual([`UPSTREAM_REFRESH_TOKEN_FILE: ${told}`])
  })

  it('is set in one place only', () => {
    expect(faults({ ...SERVICE, UPSTREAM_REFRESH_TOKEN_FILE: '/t' }, () => TOKEN)).toEqual([
      expect.stringMatching(/^UPSTREAM_REFRESH_TOKEN_FILE: .*got both$/),
    ])
  })

  it('is of no use to the sandbox, which says so', () => {
    expect(read({ UPSTREAM_REFRESH_TOKEN: TOKEN }).warnings).toEqual([
      expect.stringContaining('UPSTREAM_REFRESH_TOKEN: not used'),
    ])
  })
})

describe('in production', () => {
  const NODE_ENV = 'production'

  it('the explorer and introspection are off unless they are asked for', () => {
    const off = config({ ...SERVICE, NODE_ENV })
    expect([off.graphiql, off.introspection]).toEqual([false, false])
    const on = config({ ...SERVICE, NODE_ENV, GRAPHIQL: 'on', INTROSPECTION: 'true' })
    expect([on.graphiql, on.introspection]).toEqual([true, true])
  })

  it('a subgraph that shows the schema to everybody says so', () => {
    const env = { ...SERVICE, NODE_ENV }
    expect(read(env).warnings).toEqual([
      expect.stringMatching(/^FEDERATION_SECRET: not set.* to whoever asks,/),
    ])
    const issuer = {
      JWT_ISSUER: 'https://a.example',
      JWT_JWKS_URL: 'https://a.example/keys',
      JWT_AUDIENCE: 'refrain',
    }
    expect(read({ ...env, ...issuer }).warnings).toEqual([
      expect.stringMatching(/^FEDERATION_SECRET: not set.* to every client,/),
    ])
    expect(read({ ...env, FEDERATION_SECRET: 's' }).warnings).toEqual([])
    expect(read({ ...env, INTROSPECTION: '1' }).warnings).toEqual([])
  })

  it('the sandbox starts only when it is asked for', () => {
    expect(faults({ NODE_ENV })).toEqual([expect.stringMatching(/^UPSTREAM_URL: .*SANDBOX=1/)])
    expect(config({ NODE_ENV, SANDBOX: '1' }).sandbox).toBe(true)
  })
})

describe('trusted documents', () => {
  const env = { DOCUMENTS_FILE: 'documents.json' }
  const ARTIST = '{ artist(cmId: 5) { name } }'
  const SHA256 = 'cb45aadb291d68e40f25a17621fa3705da91e9c81c879fbbe41d246df3e2756b'

  it('are read by hash, plain or with what stands beside them', () => {
    const manifest = { [`sha256:${SHA256}`]: ARTIST, home: { document: ARTIST, max: 1 } }
    const { documentsFile } = read(env, () => JSON.stringify(manifest)).config
    expect([...(documentsFile?.byHash ?? [])]).toEqual([
      [SHA256, ARTIST],
      ['home', ARTIST],
    ])
    expect(`${documentsFile}`).toBe('documents.json')
  })

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a number in place of a document', '{"a":5}'],
    ['nothing in place of a document', '{"a":{"name":"A"}}'],
    ['a document under the hash of another', `{"${'0'.repeat(64)}":"${ARTIST}"}`],
    ['a document under another hash of the older kind', `{"${'0'.repeat(40)}":"${ARTIST}"}`],
  ])('may not hold %s', (_what, text) => {
    expect(faults(env, () => text)).toEqual([
      expect.stringMatching(/^DOCUMENTS_FILE: expected JSON with a document under each hash, got /),
    ])
  })

  it('are there where nothing else is answered', () => {
    expect(faults({ DOCUMENTS_ONLY: '1' })).toEqual([expect.stringMatching(/^DOCUMENTS_FILE: /)])
    expect(faults(env)).toEqual([expect.stringContaining('"documents.json" (ENOENT)')])
  })
})

describe('the sandbox and the service', () => {
  it('exclude each other', () => {
    expect(faults({ ...SERVICE, SANDBOX: '1' })).toEqual([expect.stringMatching(/^SANDBOX: /)])
  })

  it('are not both left out', () => {
    expect(faults({ SANDBOX: '0' })).toEqual([expect.stringMatching(/^UPSTREAM_URL: /)])
  })
})

describe('the door', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('may be %s', (HOST) => {
    expect(config({ HOST }).host).toBe(HOST)
  })

  it.each(['0.0.0.0', '::', '10.0.0.5', 'gateway.example.com', '127.0.0.1.example.com'])(
    'is %s only in public',
    (HOST) => {
      expect(faults({ HOST })).toEqual([expect.stringMatching(/^HOST: .*PUBLIC=1/)])
      expect(config({ HOST, PUBLIC: '1' }).host).toBe(HOST)
    },
  )

  it('is not the operator’s', () => {
    expect(faults({ PORT: '4001' })).toEqual([expect.stringMatching(/^ADMIN_PORT: /)])
    expect(faults({ PORT: '0', ADMIN_PORT: '0' })).toEqual([])
    const four = { WORKERS: '4', REDIS_URL: 'redis://127.0.0.1' }
    expect(faults({ ...four, PORT: '4000' })).toEqual([])
    expect(faults({ ...four, PORT: '4004' })).toEqual([
      'ADMIN_PORT: expected a port for each of 4 workers, none of them PORT, got 4001 to 4004 beside 4004',
    ])
    expect(faults({ ...four, PORT: '4005' })).toEqual([])
    expect(faults({ ...four, ADMIN_PORT: '65533' })).toEqual([
      'ADMIN_PORT: expected a port for each of 4 workers, got 65533 to 65536, of 65535',
    ])
  })

  it('opens to exact origins', () => {
    const CORS_ORIGINS = 'https://app.example.com, http://localhost:5173'
    expect(config({ CORS_ORIGINS }).corsOrigins).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
    ])
  })

  it.each(['*', 'null', 'app.example.com', 'https://a.example/', 'https://*.example.com/x', ','])(
    'does not open to %s',
    (CORS_ORIGINS) => {
      expect(faults({ CORS_ORIGINS })).toEqual([expect.stringMatching(/^CORS_ORIGINS: /)])
    },
  )
})

describe('a value that does not fit', () => {
  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '4e3'],
    ['PORT', '80.5'],
    ['HOST', 'http://127.0.0.1'],
    ['HOST', '127.0.0.1:4000'],
    ['ADMIN_PORT', 'four'],
    ['CREDITS_PER_OPERATION', '-5'],
    ['CACHE_MAX_MB', '0'],
    ['UPSTREAM_CONCURRENCY', '0'],
    ['UPSTREAM_RPS', '0'],
    ['UPSTREAM_RPS', 'Infinity'],
    ['UPSTREAM_TIMEOUT_MS', '99'],
    ['OPERATION_TIMEOUT_MS', '10s'],
    ['GRAPHIQL', 'yes'],
    ['INTROSPECTION', '2'],
    ['SANDBOX', 'maybe'],
    ['PUBLIC', 'y'],
    ['ALLOW_PLAINTEXT', 'sure'],
    ['LOG_LEVEL', 'loud'],
    ['BILLED', 'some'],
    ['BILLED', 'all-but:'],
    ['STATE_KEY', 'c2hvcnQ='],
    ['FEDERATION_SECRET', 'one,two,three'],
    ['FEDERATION_SECRET', 'one,'],
    ['FEDERATION_SECRET', 'two words'],
    ['NODE_INTERFACE', 'no'],
  ])('is told: %s=%s', (name, value) => {
    expect(faults({ [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name}: expected .+, got .+$`)),
    ])
  })

  it('is told together with every other', () => {
    const env = { PORT: 'x', LOG_LEVEL: 'loud', HOST: '0.0.0.0', NODE_ENV: 'production' }
    expect(faults(env).map((fault) => fault.split(':')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'UPSTREAM_URL',
      'HOST',
    ])
  })

  it('is cut when it is long', () => {
    expect(faults({ PORT: '9'.repeat(10_000) })[0]?.length).toBeLessThan(200)
  })

  it('is not repeated where it may be a secret', () => {
    expect(faults({ STATE_KEY: 'almost-a-key' })).toEqual([
      'STATE_KEY: expected 32 bytes in base64 (44 characters), got 12 characters',
    ])
    expect(faults({ FEDERATION_SECRET: 'hush hush' })).toEqual([
      expect.stringMatching(/^FEDERATION_SECRET: .*, got 9 characters$/),
    ])
  })
})

describe('what is printed', () => {
  it('shows every setting and no secret', () => {
    const text = describeConfig(
      config({
        ...SERVICE,
        STATE_KEY: KEY,
        CORS_ORIGINS: 'https://a.b',
        FEDERATION_SECRET: 'old-one,new-one',
      }),
    )
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'PORT=4000',
        'UPSTREAM_URL=https://api.example.com',
        'CLIENTS_FILE=none',
        'TRUST_PROXY=none',
        'UPSTREAM_REFRESH_TOKEN=[secret]',
        'STATE_KEY=[secret]',
        'FEDERATION_SECRET=[secret],[secret]',
        'CORS_ORIGINS=https://a.b',
        'BILLED=all-but:401,token',
        'GRAPHIQL=1',
        'UPSTREAM_RPS=none',
        'STATE_DIR=.refrain',
      ]),
    )
    expect(text).not.toContain(TOKEN)
    expect(text).not.toContain(KEY)
    expect(text).not.toMatch(/old-one|new-one/)
  })

  it.each(['all', 'none', 'all-but:401,429', 'all-but:token'])('shows BILLED=%s', (BILLED) => {
    expect(describeConfig(config({ BILLED }))).toContain(`BILLED=${BILLED}\n`)
  })

  it('shows a folder that is off as one would write it', () => {
    expect(describeConfig(config({}))).toContain('STATE_DIR=off\n')
  })

  it('holds no secret that a log could show', () => {
    const set = config({ ...SERVICE, STATE_KEY: KEY })
    const shown = inspect(set, { depth: 9 }) + JSON.stringify(set)
    expect(shown).not.toContain(TOKEN)
    expect(shown).not.toContain(KEY)
  })
})

describe('the documents', () => {
  const variables = () => {
    const asked = new Set<string>()
    const env = new Proxy<Record<string, string>>(
      {},
      { get: (_, name) => void asked.add(String(name)) },
    )
    read(env)
    // Named by the runtime or by habit, and only looked at to warn.
    return [...asked].filter((name) => !/^(https?|all)_proxy$|^NODE_TLS/i.test(name)).sort()
  }
  const example = readFileSync('.env.example', 'utf8')
  const lines = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )

  it('.env.example names every variable, and its values are the defaults', () => {
    expect(lines.map(([name]) => name).sort()).toEqual(variables())
    expect(config(Object.fromEntries(lines))).toEqual(config({}))
  })

  it('the README names every variable', () => {
    const named = [...readFileSync('README.md', 'utf8').matchAll(/^\| `([A-Z_]+)`/gm)]
    expect(named.map(([, name]) => name).sort()).toEqual(variables())
  })
})
