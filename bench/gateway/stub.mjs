// The service as the bench needs it: a few routes, bodies made once, a meter. PORT; LATENCY_MS before each answer.
import { createServer } from 'node:http'
import { album, artist, chart, playlist, track } from './body.mjs'

const LATENCY_MS = Number(process.env.LATENCY_MS ?? 0)
const meter = { credits: 0 }

/** Text of a body around its id, so that the stub is never what is measured. */
const template = (make) => {
  const parts = JSON.stringify({ obj: make(1_234_567) }).split('1234567')
  return (id) => parts.join(id)
}
const templates = { artist: template(artist), track: template(track), album: template(album) }
const rows = Array.from({ length: 10_000 }, (_, i) => JSON.stringify(playlist(i)))

const answers = {
  '/api/charts/platB'(query) {
    const data = chart(query.get('date'))
    return JSON.stringify({ obj: { length: data.length, data } })
  },
  '/api/playlist/platB/lists'(query) {
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 50)]
    return `{"obj":[${rows.slice(offset, offset + limit).join()}],"offset":${offset},"total":10000}`
  },
}
const charts = new Map()

const bodyOf = (path) => {
  const [, kind, id] = /^\/api\/(artist|track|album)\/(\d+)$/.exec(path) ?? []
  if (kind !== undefined) return templates[kind](id)
  const known = charts.get(path)
  if (known !== undefined) return known
  const { pathname, searchParams } = new URL(path, 'http://stub')
  const body = answers[pathname]?.(searchParams)
  if (pathname.includes('charts')) charts.set(path, body)
  return body
}

const reply = (request, response) => {
  if (request.url === '/meter') return response.end(JSON.stringify(meter))
  if (request.url === '/api/token')
    return response.end(
      JSON.stringify({ token: 'a', expires_in: 3600, refresh_token: 'r', scope: 'api' }),
    )
  const body = bodyOf(request.url)
  meter.credits += 1
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(body ?? '{"error":"not found"}')
}

createServer((request, response) => {
  request.resume()
  const answer = () => reply(request, response)
  if (LATENCY_MS > 0 && request.url !== '/meter') setTimeout(answer, LATENCY_MS)
  else answer()
}).listen(Number(process.env.PORT), '127.0.0.1')
