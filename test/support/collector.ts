import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Value = string | number | readonly Value[]
interface Attribute {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: number
    readonly arrayValue?: { readonly values: readonly Attribute['value'][] }
  }
}

/** A span as a collector takes it in. */
export interface TakenSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly status: { readonly code?: number }
  readonly attributes: Readonly<Record<string, Value>>
}

const textOf = ({ stringValue, intValue, arrayValue }: Attribute['value']): Value =>
  stringValue ?? intValue ?? (arrayValue?.values ?? []).map(textOf)

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, textOf(value)]))

/** Takes OTLP over HTTP as JSON, on a port of its own. */
export const openCollector = async () => {
  const spans: TakenSpan[] = []
  const resources: Readonly<Record<string, Value>>[] = []
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = []
  const texts: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    requests.push({ path: request.url ?? '', headers: request.headers })
    texts.push(text)
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      resources.push(valuesOf(resource.attributes))
      for (const { spans: some } of scopeSpans)
        for (const span of some) spans.push({ ...span, attributes: valuesOf(span.attributes) })
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    resources,
    requests,
    texts,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}
