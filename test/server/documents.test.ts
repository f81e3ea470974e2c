import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createGateway } from '../../src/gateway.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { configOf } from '../support/gateway.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const ARTIST = 'query Artist($of: Int! = 5) { artist(cmId: $of) { cmId } }'
const TRACK = '{ track(cmId: 7) { cmId } }'
const HASH = sha256(ARTIST)

interface Said {
  readonly status: number
  readonly data: unknown
  readonly errors: readonly { readonly message: string; readonly extensions: object }[]
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})

/** A gateway with these trusted documents, asked with any parameters. */
const openDoor = async (manifest?: object, env: Record<string, string> = {}) => {
  const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed' })
  const url = await sandbox.listen()
  const named = manifest === undefined ? {} : { DOCUMENTS_FILE: 'documents.json' }
  const gateway = createGateway(configOf({ ...named, ...env }, JSON.stringify(manifest)), url)
  open.push(gateway, sandbox)
  const read = async (response: Response): Promise<Said> => {
    const { data, errors = [] } = await response.json()
    return { status: response.status, data, errors }
  }
  return {
    meter: sandbox.meter,
    post: async (params: object, headers: Record<string, string> = {}) =>
      read(
        await gateway.yoga.fetch('http://gateway/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(params),
        }),
      ),
    get: async (params: Record<string, string>) =>
      read(await gateway.yoga.fetch(`http://gateway/graphql?${new URLSearchParams(params)}`)),
  }
}

const named = (sha256Hash: unknown) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash } },
})
const codes = ({ errors }: Said) => errors.map(({ extensions }) => Reflect.get(extensions, 'code'))
const artist = (cmId: number) => ({ artist: { cmId } })

describe('automatic persisted queries', () => {
  test('are asked for by hash once they were sent with it', async () => {
    const { post, get } = await openDoor()
    const unknown = await post(named(HASH))
    expect(unknown).toMatchObject({
      status: 200,
      errors: [
        { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
      ],
    })
    expect(unknown.data).toBeUndefined()
    expect((await post({ query: ARTIST, ...named(HASH) })).data).toEqual(artist(5))
    expect((await post(named(HASH))).data).toEqual(artist(5))
    expect((await post({ query: ARTIST, ...named(`sha256:${HASH}`) })).data).toEqual(artist(5))
    expect((await post({ ...named(HASH), variables: { of: 6 } })).data).toEqual(artist(6))
    const { extensions } = named(HASH)
    const params = { extensions: JSON.stringify(extensions), variables: '{"of":7}' }
    expect((await get(params)).data).toEqual(artist(7))
  })

  test('are known by documentId too', async () => {
    const { post, get } = await openDoor()
    expect(codes(await post({ documentId: `sha256:${HASH}` }))).toEqual([
      'PERSISTED_QUERY_NOT_FOUND',
    ])
    await post({ query: ARTIST, ...named(HASH) })
    expect((await post({ documentId: `sha256:${HASH}` })).data).toEqual(artist(5))
    expect((await get({ documentId: HASH, variables: '{"of":9}' })).data).toEqual(artist(9))
  })

  test.each([['0'.repeat(64)], [HASH.toUpperCase()], ['x'], [''], [7], [{}], [['a']]])(
    'are refused under a hash that is not theirs, and not kept: %j',
    async (hash) => {
      const { post } = await openDoor()
      const said = await post({ query: ARTIST, ...named(hash) })
      expect(codes(said)).toEqual(['BAD_USER_INPUT'])
      expect(said.data).toBeUndefined()
      expect((await post(named(hash))).data).toBeUndefined()
    },
  )

  test('are kept within bounds: the one used longest ago goes first', async () => {
    const { post } = await openDoor()
    const document = (at: number) => `query Q${at} { artist(cmId: 5) { cmId } }`
    const send = (at: number) => post({ query: document(at), ...named(sha256(document(at))) })
    for (let at = 0; at < 1001; at++) await send(at)
    expect(codes(await post(named(sha256(document(0)))))).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
    expect((await post(named(sha256(document(1))))).data).toEqual(artist(5))
  })

  test('are kept within four million characters', async () => {
    const { post } = await openDoor()
    const document = (at: number) =>
      `# ${'x'.repeat(90_000)}\nquery Q${at} { artist(cmId: 5) { cmId } }`
    for (let at = 0; at < 45; at++)
      await post({ query: document(at), ...named(sha256(document(at))) })
    expect(codes(await post(named(sha256(document(0)))))).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
    expect((await post(named(sha256(document(44))))).data).toEqual(artist(5))
  })

  test('leave a request without document and hash to be refused as ever', async () => {
    const { post } = await openDoor()
    const accept = { accept: 'application/graphql-response+json' }
    expect((await post({}, accept)).status).toBe(400)
    expect((await post([{ query: ARTIST }], accept)).status).toBe(400)
    expect((await post(named(null), accept)).status).toBe(400)
  })
})

describe('trusted documents', () => {
  const MANIFEST = { [`sha256:${HASH}`]: ARTIST, chart: { document: TRACK, max: 0 } }

  test('are known from the start, by hash or by the name that they have', async () => {
    const { post, get } = await openDoor(MANIFEST)
    expect((await post({ documentId: `sha256:${HASH}` })).data).toEqual(artist(5))
    expect((await post(named(HASH))).data).toEqual(artist(5))
    expect((await get({ documentId: 'chart' })).data).toEqual({ track: { cmId: 7 } })
  })

  test('are known by the hash as graphql-codegen writes it, wherever a client puts it', async () => {
    const { post, get } = await openDoor(MANIFEST, { DOCUMENTS_ONLY: '1' })
    const written = `sha256:${HASH}`
    expect((await post(named(written))).data).toEqual(artist(5))
    expect((await post({ query: ARTIST, ...named(written) })).data).toEqual(artist(5))
    const extensions = JSON.stringify(named(written).extensions)
    expect((await get({ extensions })).data).toEqual(artist(5))
  })

  test('stand beside others where those are not refused', async () => {
    const { post } = await openDoor(MANIFEST)
    const other = '{ artist(cmId: 8) { cmId } }'
    expect((await post({ query: other })).data).toEqual(artist(8))
    expect((await post({ query: other, ...named(sha256(other)) })).data).toEqual(artist(8))
    expect((await post(named(sha256(other)))).data).toEqual(artist(8))
  })

  test.each([
    ['with its text', (query: string) => ({ query })],
    ['with its hash', (query: string) => ({ query, ...named(sha256(query)) })],
    ['under the hash of a trusted one', (query: string) => ({ query, ...named(HASH) })],
  ])(
    'are all that is answered where DOCUMENTS_ONLY is on: another one %s',
    async (_how, params) => {
      const { post, meter } = await openDoor(MANIFEST, { DOCUMENTS_ONLY: '1' })
      const other = '{ artist(cmId: 8) { name } }'
      const said = await post(params(other), { accept: 'application/graphql-response+json' })
      expect(codes(said)).toEqual(['FORBIDDEN'])
      expect(said.status).toBe(403)
      expect(said.data).toBeUndefined()
      expect(codes(await post(named(sha256(other))))).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
      expect(meter.credits).toBe(0)
    },
  )

  test('are answered as text as well where DOCUMENTS_ONLY is on', async () => {
    const { post } = await openDoor(MANIFEST, { DOCUMENTS_ONLY: '1' })
    expect((await post({ query: ARTIST })).data).toEqual(artist(5))
    expect((await post({ query: ARTIST, ...named(HASH) })).data).toEqual(artist(5))
    expect((await post(named(HASH))).data).toEqual(artist(5))
  })

  test('do not bind the router, whose documents are made by it', async () => {
    const env = { DOCUMENTS_ONLY: '1', FEDERATION_SECRET: 'routers' }
    const { post } = await openDoor(MANIFEST, env)
    const query =
      '{ _entities(representations: [{ __typename: "Artist", cmId: 5 }]) { __typename } }'
    expect(codes(await post({ query }))).toEqual(['FORBIDDEN'])
    expect((await post({ query }, { authorization: 'Bearer routers' })).data).toEqual({
      _entities: [{ __typename: 'Artist' }],
    })
  })
})
