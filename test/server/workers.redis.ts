import { describe, expect, it, vi } from 'vitest'
import { figure } from '../support/figure.ts'
import { askAll, kill, type Replica, useReplicas } from '../support/replicas.ts'

const { open } = useReplicas()

/** The operators' ports of the workers of a process. */
const portsOf = ({ told }: Replica) =>
  vi.waitFor(() => {
    const urls = new Set([...told().matchAll(/Operator: (\S+)\/credits/g)].map(([, url]) => url))
    expect(urls.size).toBe(2)
    return [...urls]
  }, 60_000)

/** The figures of all workers summed up, by name and by name and labels. */
const figuresOf = async (replicas: readonly Replica[]) => {
  const sums: Record<string, number> = {}
  const ports = (await Promise.all(replicas.map(portsOf))).flat()
  for (const url of ports) {
    const text = await (await fetch(`${url}/metrics`)).text()
    for (const [, name = '', labels = '', value] of text.matchAll(/^(\w+)(\{.*\})? (\d+)$/gm))
      for (const key of new Set([name, `${name}${labels}`]))
        sums[key] = (sums[key] ?? 0) + Number(value)
  }
  return sums
}

/** Once all of them have Redis: how often they have sent without its word, which on a busy machine is no fault. */
const timesAlone = (replicas: readonly Replica[]): Promise<number> =>
  vi.waitFor(async () => {
    const sums = await figuresOf(replicas)
    expect(sums.refrain_redis_up).toBe(2 * replicas.length)
    return sums['refrain_redis_answers_total{result="alone"}'] ?? Number.NaN
  }, 60_000)

/** Asks for some artists that nobody asked for before, and for others where a process was alone meanwhile; `paid` for all. */
const askTogether = async (replicas: readonly Replica[], each: number, begin: number) => {
  let paid = 0
  for (let first = begin; ; first += 100) {
    const before = await timesAlone(replicas)
    const asked = await askAll(replicas, each, { first, distinct: 20 })
    expect(asked.codes).toEqual([])
    paid += asked.spent
    const alone = (await timesAlone(replicas)) - before
    expect(asked.spent).toBeLessThanOrEqual(20 + alone)
    if (alone === 0) return { ...asked, paid }
  }
}

describe('three processes of two workers each', () => {
  it('exchange one token, send each distinct request once, and go on where one is killed', async () => {
    const { replicas, first, second, meter } = await open(3, {}, { WORKERS: '2' })
    const { spent, paid } = await askTogether(replicas, 100, 2)
    figure('T2', `${meter.tokenCalls} exchange of 3 processes of 2 workers`)
    figure('C1', `${spent} credits for 20 distinct keys asked for 300 times`)
    expect([meter.tokenCalls, meter.tokenRefusals]).toEqual([1, 0])
    expect([spent, meter.credits]).toEqual([20, paid])

    await kill(first)
    const later = await askTogether(replicas.slice(1), 40, 1_000)
    expect([later.spent, meter.credits]).toEqual([20, paid + later.paid])
    expect([meter.tokenCalls, meter.tokenRefusals]).toEqual([1, 0])
    second.signal('SIGHUP')
    expect(await second.exited).toBe(0)
  }, 300_000)
})

describe('the operator', () => {
  it('has a port for each worker, and their sums are what the meter of the service shows', async () => {
    const { sandbox, replicas } = await open(1, {}, { WORKERS: '2' })
    const { codes, spent } = await askAll(replicas, 60, { first: 2_000, distinct: 20 })
    expect(codes).toEqual([])
    const sums = await figuresOf(replicas)
    expect(sums.refrain_credits_spent_total).toBe(sandbox.meter.credits)
    expect(sandbox.meter.credits).toBe(spent)
    expect(sums.refrain_operations_total).toBeGreaterThanOrEqual(60)
  }, 300_000)
})
