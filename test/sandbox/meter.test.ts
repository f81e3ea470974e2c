import { afterEach, describe, expect, it } from 'vitest'
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

describe('the meter', () => {
  it('counts 1 credit a request and 2 a premium one, whatever came of it', async () => {
    const { get, meter } = await open()
    await get('/api/artist/2')
    expect(meter.credits).toBe(1)
    await get('/api/artist/2/where-people-listen')
    expect(meter.credits).toBe(3)
    await get('/api/artist/1')
    await get('/api/artist/9999999')
    await get('/api/nothing')
    expect(meter.credits).toBe(6)
    expect(meter.requests).toEqual([
      { endpoint: 'artist', path: '/api/artist/2', status: 200, credits: 1 },
      {
        endpoint: 'artistWherePeopleListen',
        path: '/api/artist/2/where-people-listen',
        status: 200,
        credits: 2,
      },
      { endpoint: 'artist', path: '/api/artist/1', status: 400, credits: 1 },
      { endpoint: 'artist', path: '/api/artist/9999999', status: 404, credits: 1 },
      { endpoint: 'unknown', path: '/api/nothing', status: 404, credits: 1 },
    ])
  })

  it('charges on receipt: a request that is never answered is paid', async () => {
    const { get, meter, sandbox } = await open()
    sandbox.faults.inject('artist', { reset: true, times: 1 })
    await expect(get('/api/artist/2')).rejects.toThrow()
    expect(meter.credits).toBe(1)
    expect(meter.requests).toMatchObject([{ status: 0, credits: 1 }])
  })

  it('by default bills neither token calls nor a 401', async () => {
    const { fetch, meter, mint } = await open()
    await mint('seed')
    await fetch('/api/artist/2')
    expect(meter).toMatchObject({ credits: 0, tokenCalls: 1 })
    expect(meter.requests).toMatchObject([{ status: 401, credits: 0 }])
  })

  it.each([
    ['all', 3],
    ['none', 0],
    ['all-but:token', 2],
    ['all-but:401,404,token', 0],
    ['all-but:404', 2],
  ])('billed as %s counts a token call, a 401 and a 404 as %i', async (billed, credits) => {
    const { fetch, get, meter } = await open({ billed })
    await get('/api/artist/6002')
    await fetch('/api/artist/2')
    expect(meter.credits).toBe(credits)
  })

  it('refuses a setting that it does not know', async () => {
    await expect(open({ billed: 'some' })).rejects.toThrow(/all-but/)
  })
})

describe('the rate', () => {
  it('is told on every answer, in whole epoch seconds', async () => {
    const { get, mint, seconds } = await open({ ratePerSecond: 5 })
    for (const { headers } of [await mint('seed'), await get('/api/nothing')]) {
      expect(headers.get('x-ratelimit-limit')).toBe('5')
      expect(Number(headers.get('x-ratelimit-reset'))).toBe(seconds())
    }
  })

  it('refuses what goes beyond it with 429 until the told moment, tokens included', async () => {
    const { advance, get, meter, seconds } = await open({ ratePerSecond: 3 })
    const [first, second, third] = [
      await get('/api/artist/2'),
      await get('/api/artist/2'),
      await get('/api/artist/2'),
    ]
    expect([first.status, second.status, third.status]).toEqual([200, 200, 429])
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1')
    expect(second.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(second.headers.get('x-ratelimit-reset'))).toBe(seconds() + 1)
    expect(Number(third.headers.get('x-ratelimit-reset'))).toBe(seconds() + 1)
    expect(meter.credits).toBe(3)
    advance(1000)
    expect((await get('/api/artist/2')).status).toBe(200)
  })

  it('counts what it refuses, so that hammering does not help', async () => {
    const { advance, mint } = await open({ ratePerSecond: 1 })
    expect((await mint('nobody')).status).toBe(401)
    advance(600)
    expect((await mint('nobody')).status).toBe(429)
    advance(600)
    expect((await mint('nobody')).status).toBe(429)
    advance(1000)
    expect((await mint('nobody')).status).toBe(401)
  })

  it('may be less than one a second', async () => {
    const { advance, get, mint } = await open({ ratePerSecond: 0.5 })
    await mint('nobody')
    advance(2000)
    await mint('nobody')
    expect((await get('/api/artist/2')).status).toBe(429)
    advance(1999)
    expect((await mint('seed')).status).toBe(429)
  })

  it('is no limit when none is set', async () => {
    const { get } = await open()
    await get('/api/artist/2')
    const answers = await Promise.all(Array.from({ length: 60 }, () => get('/api/artist/2')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
})

describe('faults', () => {
  it('answer with a status, a body, a text, a page of HTML or headers of the test', async () => {
    const { get, meter, sandbox } = await open()
    const hit = async (fault: Parameters<typeof sandbox.faults.inject>[1]) => {
      sandbox.faults.inject('artist', { ...fault, times: 1 })
      return get('/api/artist/2')
    }
    expect(await hit({ status: 503 })).toMatchObject({
      status: 503,
      body: { error: expect.anything() },
    })
    expect(await hit({ body: { obj: null } })).toMatchObject({ status: 200, body: { obj: null } })
    expect(await hit({ status: 200, text: '{"obj":' })).toMatchObject({ text: '{"obj":' })
    expect((await hit({ html: true, status: 502 })).headers.get('content-type')).toBe('text/html')
    const limited = await hit({ status: 429, headers: { 'x-ratelimit-reset': 'soon' } })
    expect(limited.headers.get('x-ratelimit-reset')).toBe('soon')
    expect((await get('/api/artist/2')).status).toBe(200)
    expect(meter.credits).toBe(6)
  })

  it('hit by endpoint, by the beginning of a path, by pattern, or everything', async () => {
    const { get, mint, sandbox } = await open()
    const statuses = async () => [
      (await get('/api/artist/2')).status,
      (await get('/api/artist/3?foo=1')).status,
      (await get('/api/track/2')).status,
    ]
    expect(await statuses()).toEqual([200, 400, 200])
    const undo = sandbox.faults.inject('/api/artist/3', { status: 500 })
    expect(await statuses()).toEqual([200, 500, 200])
    undo()
    sandbox.faults.inject('track', { status: 500 })
    sandbox.faults.inject(/foo=\d/, { status: 501 })
    expect(await statuses()).toEqual([200, 501, 500])
    sandbox.faults.clear()
    expect(await statuses()).toEqual([200, 400, 200])
    sandbox.faults.inject('*', { status: 502 })
    expect((await mint('seed')).status).toBe(502)
    sandbox.faults.clear()
    sandbox.faults.inject('token', { status: 503 })
    expect((await mint('seed')).status).toBe(503)
  })

  it('last for as many requests as they say', async () => {
    const { get, sandbox } = await open()
    sandbox.faults.inject('artist', { status: 500, times: 2 })
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await get('/api/artist/2')).status)
    expect(statuses).toEqual([500, 500, 200, 200])
  })

  it('cut a body, reset a socket, drip and wait', async () => {
    const { get, sandbox, slept } = await open({ latencyMs: 7 })
    const whole = (await get('/api/artist/2')).text
    sandbox.faults.inject('artist', { cutAt: 20, times: 1 })
    await expect(get('/api/artist/2')).rejects.toThrow()
    sandbox.faults.inject('artist', { reset: true, times: 1 })
    await expect(get('/api/artist/2')).rejects.toThrow()
    sandbox.faults.inject('artist', { drip: { bytes: 500, everyMs: 11 }, times: 1 })
    expect((await get('/api/artist/2')).text).toBe(whole)
    sandbox.faults.inject('artist', { delayMs: 900, times: 1 })
    expect((await get('/api/artist/2')).text).toBe(whole)
    expect(slept.filter((ms) => ms === 11)).toHaveLength(Math.ceil(Buffer.byteLength(whole) / 500))
    expect(slept.filter((ms) => ms === 900)).toHaveLength(1)
    expect(slept.filter((ms) => ms === 7)).toHaveLength(6)
  })

  it('stall before the head or before the body, and closing still ends', async () => {
    const { fetch, sandbox, url } = await open()
    sandbox.faults.inject('*', { stall: 'body', times: 1 })
    const { body, status } = await globalThis.fetch(`${url}/api/artist/2`)
    expect(status).toBe(401)
    sandbox.faults.inject('*', { stall: 'head', times: 1 })
    const silent = fetch('/api/artist/2').catch(() => 'closed')
    const received = () => sandbox.meter.requests.length
    await expect.poll(received).toBe(2)
    await sandbox.close()
    expect(await silent).toBe('closed')
    await expect(body?.getReader().read()).rejects.toThrow()
  })
})
