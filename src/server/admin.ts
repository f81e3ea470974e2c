import { createServer } from 'node:http'
import type { Gateway } from '../gateway.ts'
import { createListening } from './listening.ts'

export interface AdminSettings {
  readonly port: number
  readonly host: string
  /** Whether the process is on its way out. */
  readonly isDraining: () => boolean
}

/** The operator's own port: the probes, with the details that nobody else is told. */
export const createAdminServer = (gateway: Gateway, settings: AdminSettings) => {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    if (path === '/livez') return void response.writeHead(200).end()
    if (path !== '/readyz') return void response.writeHead(404).end()
    const draining = settings.isDraining()
    const ready = gateway.isReady() && !draining
    response
      .writeHead(ready ? 200 : 503, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
      })
      .end(`${JSON.stringify({ ready, draining, ...gateway.health() }, undefined, 2)}\n`)
  })
  return createListening(server, settings.port, settings.host)
}
