import { afterEach, describe, expect, it } from 'vitest'
import { createSources } from '../../src/sandbox/source.ts'
import { createWorld } from '../../src/sandbox/world.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { openSandbox } from './open.ts'

const opened: { close(): Promise<void> }[] = []
const open = async (...options: Parameters<typeof openSandbox>) => {
  const one = await openSandbox(...options)
  opened.push(one)
  return one
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

describe('the token endpoint', () => {
  it('exchanges the refresh token for an access token of an hour', async () => {
    const { mint } = await open()
    const { status, body } = await mint('seed')
    expect(status).toBe(200)
    expect(body).toEqual({
      token: expect.any(String),
      expires_in: 3600,
      refresh_token: expect.any(String),
      scope: 'api',
    })
  })

  it('refuses a body that is not JSON or lacks the field with 400', async () => {
    const { fetch, mint, url } = await open()
    const post = (body: string, type = 'application/json') =>
      fetch('/api/token', { method: 'POST', headers: { 'content-type': type }, body })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await post('{"refreshtoken":')).status).toBe(400)
    expect((await post('{"refresh_token":"seed"}')).status).toBe(400)
    expect((await post('null')).status).toBe(400)
    expect((await post('{"refreshtoken":"seed"}', 'text/plain')).status).toBe(400)
    expect((await mint(7)).status).toBe(400)
  })

  it('refuses an unknown or padded refresh token with 401', async () => {
    const { mint } = await open()
    for (const token of ['other', ' seed', 'seed ', 'seed\n', ''])
      expect((await mint(token)).status).toBe(401)
  })

  it('under strict rotation refuses a token that was used', async () => {
    const { mint } = await open({ rotation: 'strict' })
    const next = (await mint('seed')).body.refresh_token
    expect(next).not.toBe('seed')
    expect((await mint('seed')).status).toBe(401)
    expect((await mint(next)).status).toBe(200)
    expect((await mint(next)).status).toBe(401)
  })

  it('under grace takes the former token until the next one is used', async () => {
    const { mint } = await open({ rotation: 'grace' })
    const next = (await mint('seed')).body.refresh_token
    expect((await mint('seed')).body.refresh_token).toBe(next)
    expect((await mint(next)).status).toBe(200)
    expect((await mint('seed')).status).toBe(401)
  })

  it('without rotation gives the same token back', async () => {
    const { mint } = await open({ rotation: 'none' })
    expect((await mint('seed')).body.refresh_token).toBe('seed')
    expect((await mint('seed')).status).toBe(200)
  })

  it('takes no refresh token but the one that the operator put in its place', async () => {
    const { mint, sandbox } = await open({ rotation: 'none' })
    sandbox.replaceRefreshToken('fresh')
    expect((await mint('seed')).status).toBe(401)
    expect((await mint('fresh')).status).toBe(200)
  })
})

describe('authorization', () => {
  it('is a bearer token after one space, nothing else', async () => {
    const { fetch, mint } = await open()
    const { token } = (await mint('seed')).body
    const ask = (authorization?: string) =>
      fetch('/api/artist/2', authorization === undefined ? {} : { headers: { authorization } })
    expect((await ask(`Bearer ${token}`)).status).toBe(200)
    for (const wrong of [
      `Bearer  ${token}`,
      `bearer ${token}`,
      `Bearer "${token}"`,
      token,
      'Bearer seed',
    ])
      expect((await ask(wrong)).status, wrong).toBe(401)
    expect((await ask()).status).toBe(401)
  })

  it('ends with the lifetime of the token, or when tokens are revoked', async () => {
    const { advance, get, sandbox } = await open({ tokenLifetime: 30 })
    expect((await get('/api/artist/2')).status).toBe(200)
    advance(29_999)
    expect((await get('/api/artist/2')).status).toBe(200)
    advance(1)
    expect((await get('/api/artist/2')).status).toBe(401)
    const other = await open()
    expect((await other.get('/api/artist/2')).status).toBe(200)
    other.sandbox.revokeAccessTokens()
    expect((await other.get('/api/artist/2')).status).toBe(401)
    expect(sandbox.meter.tokenCalls).toBe(1)
  })
})

describe('answers', () => {
  it('are wrapped as the specification says', async () => {
    const { get, post } = await open()
    const shape = async (path: string) => (await get(path)).body
    expect((await shape('/api/artist/2')).obj.id).toBe(2)
    expect((await shape('/api/track/0')).obj.id).toBe(0)
    expect((await shape('/api/album/0')).obj.cm_album).toBe(0)
    expect(await shape('/api/artist/sp_followers/list?min=0&max=0')).toEqual({
      obj: { length: -1, data: 'No artists found with given parameters.' },
    })
    const list = await shape('/api/artist/sp_followers/list?min=0&max=99999999999&limit=3')
    expect(list.obj.length).toBe(3)
    expect(list.obj.data).toHaveLength(3)
    const chart = await shape('/api/charts/platB?country_code=US&latest=true')
    expect(chart.obj.length).toBe(100)
    const playlists = await shape('/api/playlist/platC/lists?offset=20&limit=5')
    expect(playlists).toMatchObject({ offset: 20, total: expect.any(Number) })
    expect(playlists.obj).toHaveLength(5)
    expect((await shape('/api/playlist/platB/lists')).obj).toHaveLength(50)
    expect((await shape('/api/track/list/filter')).obj).toHaveLength(50)
    const venues = await shape('/api/venue')
    expect(venues.obj).toMatchObject({ total: 3_000 })
    expect(venues.obj.data).toHaveLength(20)
    expect((await shape('/api/radio/station-list')).obj).toHaveLength(600)
    expect(Array.isArray((await shape('/api/festival/list?limit=3')).obj)).toBe(true)
    expect((await shape('/api/event/venue/12')).obj.venueInfo).toHaveLength(1)
    expect((await shape('/api/event/venue/no-such')).obj).toEqual({ venueInfo: [], events: [] })
    expect((await shape('/api/search?q=a&beta=true&limit=4')).obj.suggestions).toHaveLength(4)
    expect(Object.keys((await shape('/api/search?q=a&beta=false&type=tracks')).obj)).toEqual([
      'tracks',
    ])
    const estimates = await post('/api/track/playlist-stream-estimates', { ids: [3, 99_999] })
    expect(estimates.body.obj).toMatchObject([{ status: 'available' }, { status: 'not_found' }])
  })

  it('are 404 for what does not exist', async () => {
    const { get } = await open()
    for (const path of [
      ...[
        '/api/artist/6002',
        '/api/track/24000',
        '/api/album/8000',
        '/api/nothing',
        '/',
        '/api/artist',
      ],
      ...['/api/artist/2/', '/api/token', '/api/charts/platB?country_code=US&date=2031-01-01'],
    ]) {
      const { body, status } = await get(path)
      expect([path, status, body]).toEqual([path, 404, { error: 'Not found' }])
    }
  })

  it('say that the data is invented', async () => {
    const { get } = await open()
    expect((await get('/api/artist/2')).headers.get('x-sandbox')).toBe('invented data')
    expect((await get('/api/nothing')).headers.get('x-sandbox')).toBe('invented data')
  })

  it('leave blocks out for who accepts partial data, on artists that are being rebuilt', async () => {
    const { get } = await open()
    const partial: number[] = []
    for (let id = 2; id < 152; id++) {
      const { body } = await get(`/api/artist/${id}`, { 'x-accept-partial-data': 'true' })
      if (body.obj.cm_statistics === null) partial.push(id)
    }
    expect(partial.length).toBeGreaterThan(0)
    expect(partial.length).toBeLessThan(15)
    expect((await get(`/api/artist/${partial[0]}`)).body.obj.cm_statistics).not.toBeNull()
  })
})

describe('the registry', () => {
  it('has a source for each endpoint, and no source without one', () => {
    expect(Object.keys(createSources(createWorld())).sort()).toEqual(Object.keys(endpoints).sort())
  })
})
