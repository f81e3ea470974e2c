import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { priceCommand } from '../../src/cli/price.ts'
import { createGateway } from '../../src/gateway.ts'
import { configOf } from '../support/gateway.ts'

const CODEGEN = 'node_modules/@graphql-codegen/cli/esm/bin.js'

const folders: string[] = []
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'refrain-manifest-'))
  folders.push(folder)
})
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

const FILES = {
  'chart.graphql':
    'query Chart { charts { platB(countryCode: "US", first: 20) { nodes { rank track { durationMs } } } } }',
  'artist.graphql':
    'query Artist($of: Int! = 5) { artist(cmId: $of) { ...Page } } fragment Page on Artist { cmId }',
}
const at = (name: string) => join(folder, name)
const write = () => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(at(name), text)
}
const read = (name: string): Record<string, { document: string }> =>
  JSON.parse(readFileSync(at(name), 'utf8'))

/** What a gateway with this manifest answers to a hash alone. */
const answerTo = async (documentId: string, manifest: string) => {
  const env = { DOCUMENTS_FILE: 'documents.json', DOCUMENTS_ONLY: '1' }
  const gateway = createGateway(configOf(env, manifest), 'http://127.0.0.1:9')
  const response = await gateway.yoga.fetch('http://gateway/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ documentId }),
  })
  await gateway.close()
  return response.json()
}

describe('refrain price --manifest', () => {
  test('writes each document under its hash, with its price', () => {
    write()
    const { code, text } = priceCommand([folder, '--manifest', at('documents.json')])
    expect(code).toBe(0)
    expect(text).toContain('Chart')
    const entries = Object.entries(read('documents.json'))
    const artist = { name: 'Artist', min: 0, likely: 0, max: 0 }
    const chart = { name: 'Chart', min: 1, likely: 21, max: 21 }
    expect(entries.map(([, { document: _, ...price }]) => price)).toEqual([
      artist,
      artist,
      chart,
      chart,
    ])
    for (const [hash, { document }] of entries)
      expect(createHash('sha256').update(document).digest('hex')).toBe(hash)
  })

  test('holds a document as it is printed and as it is written, where its file has all of it', async () => {
    write()
    writeFileSync(
      at('other.graphql'),
      '# With a fragment of another file.\nquery Other { artist(cmId: 6) { ...Page } }',
    )
    priceCommand([folder, '--manifest', at('documents.json')])
    const manifest = readFileSync(at('documents.json'), 'utf8')
    const hash = createHash('sha256').update(FILES['artist.graphql']).digest('hex')
    expect(await answerTo(hash, manifest)).toMatchObject({ data: { artist: { cmId: 5 } } })
    expect(Object.keys(read('documents.json'))).toHaveLength(5)
  })

  test('writes none where an operation is too dear', () => {
    write()
    expect(priceCommand([folder, '--max', '20', '--manifest', at('documents.json')]).code).toBe(1)
    expect(existsSync(at('documents.json'))).toBe(false)
  })

  test('keeps the hashes of graphql-codegen, which the gateway takes with prices and without', async () => {
    write()
    const config = {
      schema: 'schema.graphql',
      documents: Object.keys(FILES).map(at),
      generates: {
        [at('client/')]: { preset: 'client', presetConfig: { persistedDocuments: true } },
      },
    }
    writeFileSync(at('codegen.json'), JSON.stringify(config))
    execFileSync(process.execPath, [CODEGEN, '--config', at('codegen.json')])
    const plain = readFileSync(at('client/persisted-documents.json'), 'utf8')
    expect(
      priceCommand([at('client/persisted-documents.json'), '--manifest', at('priced.json')]).code,
    ).toBe(0)
    const bare = (hash: string) => hash.replace('sha256:', '')
    const hashes = Object.keys(JSON.parse(plain))
    expect(hashes).toHaveLength(2)
    expect(Object.keys(read('priced.json'))).toEqual(hashes.map(bare))
    const artist = hashes.find((hash) => JSON.parse(plain)[hash].includes('query Artist')) ?? ''
    for (const manifest of [plain, readFileSync(at('priced.json'), 'utf8')])
      expect(await answerTo(artist, manifest)).toMatchObject({ data: { artist: { cmId: 5 } } })
  })
})
