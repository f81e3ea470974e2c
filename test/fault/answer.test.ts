import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ask } from '../credits/ask.ts'
import { figure } from '../support/figure.ts'
import { openGateway } from '../support/gateway.ts'
import { artist, codesOf, openBench, range, SECOND } from './bench.ts'

const MINUTE = 60 * SECOND
const MB = 1024 * 1024
const ROW = { id: 5, name: 'Ada' }

/** A service that answers as it likes, and counts what came. */
const openService = async (answer: (response: ServerResponse) => void) => {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/api/token')
      return response.end(JSON.stringify({ token: 'access', expires_in: 3600, refresh_token: 'r' }))
    asked += 1
    return answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    get asked() {
      return asked
    },
  }
}

const gatewayTo = (url: string) => {
  const opened = openGateway(url)
  onTestFinished(() => opened.gateway.close())
  return { ...opened, spent: () => opened.gateway.upstream.book.spent }
}

describe('answers that are none, one process', () => {
  test.each([
    ['a page with status 200', { html: true }],
    ['nothing with status 200', { text: '' }],
    ['a list at the top', { body: [ROW] }],
    ['no obj', { body: ROW }],
    ['a part of what there is (206)', { status: 206, body: { obj: { ...ROW, id: 6 } } }],
  ])('N8: %s is paid for once, told, and takes the place of nothing', async (name, fault) => {
    const bench = await openBench()
    await bench.grow([5])
    const before = bench.balances()
    bench.faults.inject('artist', fault)
    const cold = await bench.ask(artist(6))
    expect(codesOf([cold])).toEqual(['UPSTREAM_BAD_RESPONSE'])
    expect(bench.balances() - before).toBe(1)
    const old = await bench.ask(artist(5))
    expect(old.errors).toEqual([])
    expect(old.credits.stale?.[0]?.reason).toBe('UPSTREAM_BAD_RESPONSE')
    expect(bench.balances() - before).toBe(2)
    bench.faults.clear()
    await bench.clock.pass(MINUTE)
    expect(codesOf(await bench.askAll([artist(5), artist(6)]))).toEqual([])
    bench.balances()
    figure(`N8: ${name}: 1 credit each, 0 repeats, the old answer kept`)
  })

  test('N9: a list without a match is an empty one', async () => {
    const bench = await openBench()
    await bench.warm()
    const body = { obj: { length: -1, data: 'No artists found with given parameters.' } }
    bench.faults.inject('artistsByStat', { body })
    const { data, errors } = await bench.ask(
      '{ artistsByStat(stat: PLAT_A_FOLLOWERS, min: 1, max: 2) { nodes { artist { name } } } }',
    )
    expect([data, errors]).toEqual([{ artistsByStat: { nodes: [] } }, []])
    figure(`N9: 0 rows, 0 errors, ${bench.balances()} credit`)
  })

  test('N10: a 403 is no mint and no repeat, and is believed for ten minutes', async () => {
    const bench = await openBench()
    await bench.warm()
    const mints = bench.meter.tokenCalls
    bench.faults.inject('artistPlatDTopVideos', { status: 403 })
    bench.faults.inject('album', { status: 403 })
    for (let minute = 0; minute < 20; minute += 1) {
      const premium = range(2, 3).map(
        (id) => `{ artist(cmId: ${id}) { premium { platDTopVideos } } }`,
      )
      const answers = await bench.askAll([...premium, '{ album(cmId: 7) { name } }'])
      expect(codesOf(answers)).toEqual(Array(4).fill('UPSTREAM_FORBIDDEN'))
      await bench.clock.pass(MINUTE)
    }
    const sent = (endpoint: string) =>
      bench.meter.requests.filter((request) => request.endpoint === endpoint).length
    expect([sent('artistPlatDTopVideos'), sent('album')]).toEqual([2, 2])
    expect(bench.meter.tokenCalls).toBe(mints)
    expect(bench.balances()).toBe(6)
    figure('N10: asked 60 and 20 times in 20 min: 2 requests each, 0 mints')
  })

  test('N11: a redirect is not followed, and the token goes nowhere else', async () => {
    const elsewhere = await openService((response) => response.end('{}'))
    const service = await openService((response) =>
      response.writeHead(302, { location: `${elsewhere.url}/api/artist/5` }).end(),
    )
    const opened = gatewayTo(service.url)
    const { errors } = await ask(opened, artist(5))
    expect(errors).toHaveLength(1)
    expect([elsewhere.asked, service.asked, opened.spent()]).toEqual([0, 1, 1])
    figure(`N11: ${errors[0]?.extensions.code}, ${elsewhere.asked} requests elsewhere`)
  })

  const zeros = gzipSync(Buffer.alloc(50 * MB))
  const pour = (response: ServerResponse) => {
    const piece = Buffer.alloc(MB / 4, 0x20)
    let poured = 0
    const on = () => {
      while (poured < 200 * MB && !response.destroyed) {
        poured += piece.length
        if (!response.write(piece)) return void response.once('drain', on)
      }
      response.end()
    }
    on()
  }
  test.each<[string, (response: ServerResponse) => unknown]>([
    [
      'a gzip of 50 MB',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zeros),
    ],
    ['200 MB as they are', pour],
    [
      'twenty content codings',
      (response) =>
        response
          .writeHead(200, { 'content-encoding': Array(20).fill('gzip').join(', ') })
          .end(zeros),
    ],
  ])('N12: %s are cut, for one credit', async (name, answer) => {
    const service = await openService(answer)
    const opened = gatewayTo(service.url)
    const before = process.memoryUsage.rss()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 1)
    const asked = await ask(opened, artist(5))
    clearInterval(watch)
    expect(codesOf([asked])).toEqual(['UPSTREAM_BAD_RESPONSE'])
    expect([service.asked, opened.spent()]).toEqual([1, 1])
    const grown = Math.round((most - before) / MB)
    expect(grown).toBeLessThanOrEqual(64)
    figure(`N12: ${name}: 1 credit, ${grown} MB more of memory, the other side included`)
  })
})
