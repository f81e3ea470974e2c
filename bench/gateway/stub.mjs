// The service as the bench needs it: a few routes and a meter. PORT; LATENCY_MS before each answer.
import { createServer } from 'node:http'
import { bodyOf } from './answer.mjs'

const LATENCY_MS = Number(process.env.LATENCY_MS ?? 0)
const meter = { credits: 0 }

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
