import { Counter, Gauge, Registry } from 'prom-client'
import type { Gateway } from '../../gateway.ts'
import type { Figure } from './figure.ts'
import { FIGURES } from './index.ts'

/** Clients that have a line of their own; names are many where whoever asks chooses them. */
const MOST_CLIENTS = 20
const OTHERS = 'others'

/** The name itself for the first so many, one word for all others: a name once seen keeps its line. */
const createNames = (most: number) => {
  const seen = new Set<string>()
  return (name: string): string => {
    if (name === OTHERS || (!seen.has(name) && seen.size >= most)) return OTHERS
    seen.add(name)
    return name
  }
}

type Samples = ReadonlyMap<string, { labels: Record<string, string>; value: number }>

const createReader = (figure: Figure, gateway: Gateway, nameOf: (name: string) => string) => {
  const highest = new Map<string, number>()
  return (): Samples => {
    const samples: Map<string, { labels: Record<string, string>; value: number }> = new Map()
    for (const [value, given = {}] of figure.read(gateway)) {
      const labels =
        given.client === undefined ? { ...given } : { ...given, client: nameOf(given.client) }
      const key = JSON.stringify(labels)
      samples.set(key, { labels, value: (samples.get(key)?.value ?? 0) + value })
    }
    if (figure.kind === 'counter')
      for (const [key, sample] of samples) {
        // To who counts, less than before is a process that began anew.
        sample.value = Math.max(sample.value, highest.get(key) ?? 0)
        highest.set(key, sample.value)
      }
    return samples
  }
}

const register = (figure: Figure, registry: Registry, read: () => Samples): void => {
  const { name, help, labels = [], kind } = figure
  const settings = { name, help, labelNames: [...labels], registers: [registry] }
  if (kind === 'gauge')
    new Gauge({
      ...settings,
      collect() {
        const samples = read()
        this.reset()
        // What has no labels would else be told as nothing, and not be absent.
        if (samples.size === 0 && labels.length === 0) this.remove({})
        for (const { labels, value } of samples.values()) this.set(labels, value)
      },
    })
  else
    new Counter({
      ...settings,
      collect() {
        this.reset()
        for (const { labels, value } of read().values()) this.inc(labels, value)
      },
    })
}

/** All that Prometheus is told: figures read from where they are known, and what the meters took down. */
export const createMetrics = (gateway: Gateway) => {
  const registry = new Registry()
  const nameOf = createNames(MOST_CLIENTS)
  for (const figure of FIGURES) register(figure, registry, createReader(figure, gateway, nameOf))
  const all = Registry.merge([registry, gateway.meters.registry])
  return {
    contentType: all.contentType,
    async text() {
      await gateway.upstream.books.look()
      return all.metrics()
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
