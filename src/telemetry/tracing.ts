import {
  type Context as Place,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { Follow } from '../execution/execution.ts'
import type { Outcome, Watch } from '../upstream/transport/send.ts'

const LONGEST_NAME = 256

/** Tells how an attempt ended; a refusal is a fault of the attempt, whatever the answer is made of in its place. */
const conclude = (span: Span, outcome: Outcome): void => {
  const status = 'answer' in outcome ? outcome.answer.status : undefined
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  if (status !== undefined && status < 400) return
  const { code = 'UPSTREAM_UNAVAILABLE' } =
    'error' in outcome ? ((outcome.error ?? {}) as { readonly code?: string }) : {}
  span.setAttribute('error.type', status === undefined ? code : String(status))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** A span for each operation, and in it one for each of its attempts on the wire; what goes out for nobody begins a trace. */
export const createSpans = (tracer: Tracer, propagator: TextMapPropagator) => {
  /** Where an operation stands in its trace, by the ledger that it shares with its requests. */
  const places = new WeakMap<object, Place>()

  const follow: Follow = ({ labels, headers, ledger, sources }) => {
    const outer = propagator.extract(ROOT_CONTEXT, headers, {
      keys: () => [],
      get: (given, name) => given.get(name) ?? undefined,
    })
    const span = tracer.startSpan(
      'query',
      {
        kind: SpanKind.SERVER,
        attributes: {
          'graphql.operation.type': 'query',
          'graphql.operation.name': labels.operation.slice(0, LONGEST_NAME),
          'refrain.client': labels.client,
        },
      },
      outer,
    )
    places.set(ledger, trace.setSpan(outer, span))
    return (isWhole) => {
      const saved = Object.entries(ledger.savedBy)
      span.setAttributes({
        'refrain.credits.spent': ledger.spent,
        'refrain.credits.saved': saved.reduce((sum, [, credits]) => sum + credits, 0),
        'refrain.cache.sources': [...sources],
      })
      for (const [mechanism, credits] of saved)
        if (credits !== 0) span.setAttribute(`refrain.credits.saved.${mechanism}`, credits)
      if (!isWhole) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  }

  const watch: Watch = ({ method, endpoint }, { ledger, field, purpose, hasStandIn }) => {
    const outer = places.get(ledger) ?? ROOT_CONTEXT
    const span = tracer.startSpan(
      endpoint,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'http.request.method': method,
          'refrain.endpoint': endpoint,
          'refrain.purpose': purpose ?? 'interactive',
          'refrain.cache.state': hasStandIn === true ? 'stale' : 'miss',
          ...(field !== undefined && { 'refrain.field': field }),
        },
      },
      outer,
    )
    const headers: Record<string, string> = {}
    propagator.inject(trace.setSpan(outer, span), headers, {
      set: (carrier, name, value) => {
        carrier[name] = value
      },
    })
    return {
      headers,
      end(outcome, credits) {
        span.setAttribute('refrain.credits', credits)
        conclude(span, outcome)
        span.end()
      },
    }
  }

  return { follow, watch }
}

export type Spans = ReturnType<typeof createSpans>
