import { createServer, type ServerResponse } from 'node:http'
import type { Gateway } from '../gateway.ts'
import { createListening } from './listening.ts'
import { createMetrics, type Metrics } from './metrics/exposition.ts'
import { overviewOf } from './overview.ts'
import { createPage, showPage, wantsPage } from './page.ts'
import { say } from './saying.ts'
import { pathOf } from './target.ts'

export interface AdminSettings {
  readonly port: number
  readonly host: string
  /** Whether the process is on its way out. */
  readonly isDraining: () => boolean
}

const NOTHING_HERE = 'Nothing is here: there are /livez, /readyz, /credits and /metrics'

const tell = (response: ServerResponse, status: number, told: object): void => {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      vary: 'accept',
    })
    .end(`${JSON.stringify(told, undefined, 2)}\n`)
}

const showMetrics = async (
  { contentType, text }: Metrics,
  response: ServerResponse,
): Promise<void> => {
  const body = await text()
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body)
}

/** The operator's own port: metrics, the probes, with the details that nobody else is told, and the page of credits. */
export const createAdminServer = (gateway: Gateway, settings: AdminSettings) => {
  const metrics = createMetrics(gateway)
  const page = createPage({ name: 'credits', title: 'Refrain: credits' })

  const server = createServer((request, response) => {
    const fail = (failure: unknown): void => {
      gateway.log.error(failure)
      response.destroy()
    }
    const path = pathOf(request)
    if (path === '/livez') return void response.writeHead(200).end()
    if (path === '/credits' && wantsPage(request))
      return void showPage(page, request, response).catch(fail)
    if (path === '/metrics') return void showMetrics(metrics, response).catch(fail)
    if (path === '/credits')
      return void overviewOf(gateway).then((told) => tell(response, 200, told), fail)
    if (path !== '/readyz') return say(response, 404, NOTHING_HERE)
    const draining = settings.isDraining()
    const ready = gateway.isReady() && !draining
    return tell(response, ready ? 200 : 503, { ready, draining, ...gateway.health() })
  })
  return createListening(server, settings.port, settings.host, 'ADMIN_PORT', true)
}
