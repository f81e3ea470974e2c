import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse, validate } from 'graphql'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { schema } from '../../src/schema/index.ts'
import { examples } from '../../src/server/examples.ts'
import { createGraphiql } from '../../src/server/graphiql.ts'
import type { PageAnswer } from '../../src/server/page.ts'
import { run } from '../support/run.ts'

const page = createGraphiql({ title: 'Refrain', endpoint: '/graphql', sandbox: true })

describe('the explorer page', () => {
  let plain: PageAnswer
  let packed: PageAnswer
  beforeAll(async () => {
    plain = await page({})
    packed = await page({ acceptEncoding: 'gzip, deflate, br' })
  })

  it('is sent packed to who takes gzip, and is the same page', () => {
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(packed.body ?? '').equals(plain.body ?? Buffer.of())).toBe(true)
    expect(packed.headers.vary).toBe('accept-encoding')
  })

  it('is sent plain to who refuses gzip', async () => {
    for (const acceptEncoding of ['gzip;q=0, identity', 'gzip;q=0.5, identity', 'br', '']) {
      const refused = await page({ acceptEncoding })
      expect(refused.headers['content-encoding']).toBeUndefined()
    }
  })

  it('is not sent to who takes it in no way', async () => {
    for (const acceptEncoding of ['identity;q=0', '*;q=0', 'br, identity;q=0']) {
      const { status, headers, body } = await page({ acceptEncoding })
      expect([status, headers['content-type']]).toEqual([406, 'text/plain; charset=utf-8'])
      expect(String(body)).toContain('gzip')
    }
    expect((await page({ acceptEncoding: 'gzip, identity;q=0' })).status).toBe(200)
  })

  it('is not sent again to who has it', async () => {
    const again = await page({ ifNoneMatch: plain.headers.etag?.replace('W/', '') })
    expect(again.status).toBe(304)
    expect(again.body).toBeUndefined()
  })

  it('names the page and the door of the gateway', () => {
    const html = String(plain.body)
    expect(html).toContain('<title>Refrain</title>')
    expect(html).toContain('"endpoint":"/graphql"')
  })

  it('loads nothing from anywhere', () => {
    expect(String(plain.body)).not.toMatch(/<(script|link|img|iframe)[^>]*(src|href)="https?:/)
  })

  it('runs the one script that it came with, and may not be framed', () => {
    const html = String(plain.body)
    const script = html.slice(html.indexOf('<script>') + 8, html.lastIndexOf('</script>'))
    const policy = plain.headers['content-security-policy'] ?? ''
    const hash = createHash('sha256').update(script).digest('base64')
    expect(policy).toContain(`script-src 'sha256-${hash}';`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    expect(plain.headers['x-frame-options']).toBe('DENY')
  })
})

test('says in words that it is not built, where the install had nothing to build it with', async () => {
  const nowhere = createGraphiql(
    { title: 'Refrain', endpoint: '/graphql', sandbox: true },
    new URL('file:///nowhere/'),
  )
  const { status, body } = await nowhere({})
  expect(status).toBe(503)
  expect(String(body)).toContain('`npm ci && npm run build`')
})

test('every recipe of the docs is saved in the explorer, under one theme', async () => {
  const recipes = readdirSync('docs/recipes').filter((name) => name.endsWith('.graphql'))
  const themes: Record<string, string[]> = JSON.parse(
    readFileSync('docs/recipes/themes.json', 'utf8'),
  )
  const placed = Object.values(themes).flat()
  expect(placed.map((name) => `${name}.graphql`).sort()).toEqual(recipes)
  const html = String((await page({})).body)
  for (const theme of Object.keys(themes)) expect(html).toContain(theme)
})

const named = examples(true).map(({ query }) => [/query (\w+)/.exec(query)?.[1], query] as const)

describe('the examples', () => {
  it('say that data is invented on the sandbox, and only there', () => {
    for (const { query } of examples(true)) expect(query).toMatch(/^# You are on the sandbox/)
    for (const { query } of examples(false)) expect(query).not.toMatch(/sandbox|invented/)
  })

  it('are the tabs of the page', async () => {
    const html = String((await page({})).body)
    for (const { query } of examples(true)) expect(html).toContain(JSON.stringify(query))
  })

  it.each(named)('%s fits the schema', (_, query) => {
    expect(validate(schema, parse(query))).toEqual([])
  })

  it.each(named)('%s is read without scrolling sideways', (_, query) => {
    const widest = Math.max(...query.split('\n').map((line) => line.length))
    expect(widest).toBeLessThanOrEqual(66)
  })

  it('cost what they say where they are run from the first tab to the last', async () => {
    const { query } = await run()
    const answers = []
    for (const example of examples(true)) answers.push(await query(example.query))
    expect(answers.map(({ errors }) => errors)).toEqual(answers.map(() => []))
    expect(answers.map(({ credits }) => credits.spent)).toEqual([1, 2, 1, 1, 2])
    expect(answers.at(-1)?.credits.savedBy.merged).toBe(1)
  })
})
