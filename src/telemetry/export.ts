import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Clock } from '../upstream/transport/send.ts'
import { createSpans, type Spans } from './tracing.ts'

/** Time for a collector to take what is left as the process leaves. */
const LAST_EXPORT_MS = 3_000

/** Spans on their way to a collector. */
export interface Tracing extends Spans {
  /** Hands over what is left, as far as the collector takes it in time. */
  close(): Promise<void>
}

/**
 * Sends spans to the collector at an address. The SDK itself reads what else the standard variables say: headers,
 * sampler, batches, the names of the service.
 */
export const openTracing = (url: string, clock: Clock): Tracing => {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'refrain' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  })
  const spans = createSpans(provider.getTracer('refrain'), new W3CTraceContextPropagator())
  return {
    ...spans,
    async close() {
      const over = new AbortController()
      const left = provider.shutdown().catch(() => undefined)
      await Promise.race([left, clock.sleep(LAST_EXPORT_MS, over.signal)])
      over.abort()
    },
  }
}
