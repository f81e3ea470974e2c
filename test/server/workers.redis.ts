import { describe, expect, it, vi } from 'vitest'
import { figure } from '../support/figure.ts'
import { askAll, kill, type Replica, useReplicas } from '../support/replicas.ts'

const { open } = useReplicas()

/** How often a process went on without Redis, which on a machine that is too busy to hear it in time is no fault. */
const timesAlone = (replicas: readonly Replica[]): number =>
  replicas.flatMap(({ told }) => told().match(/Redis is away/g) ?? []).length

/** Asks for some artists that nobody asked for before, and for others where a process was alone meanwhile; `paid` for all. */
const askTogether = async (replicas: readonly Replica[], each: number, begin: number) => {
  let paid = 0
  for (let first = begin; ; first += 100) {
    const before = timesAlone(replicas)
    const asked = await askAll(replicas, each, { first, distinct: 20 })
    expect(asked.codes).toEqual([])
    paid += asked.spent
    if (timesAlone(replicas) === before || first > begin + 500) return { ...asked, paid }
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
    second.signal('SIGTERM')
    expect(await second.exited).toBe(0)
  }, 300_000)
})

describe('the operator', () => {
  it('has a port for each worker, and their sums are what the meter of the service shows', async () => {
    const { sandbox, replicas, first } = await open(1, {}, { WORKERS: '2' })
    const { codes, spent } = await askAll(replicas, 60, { first: 2_000, distinct: 20 })
    expect(codes).toEqual([])
    const ports = await vi.waitFor(() => {
      const told = first.told()
      const all = new Set([...told.matchAll(/Operator: (\S+)\/credits/g)].map(([, url]) => url))
      expect(all.size).toBe(2)
      return all
    }, 60_000)
    const sums: Record<string, number> = {}
    for (const url of ports) {
      const text = await (await fetch(`${url}/metrics`)).text()
      for (const [, name = '', value] of text.matchAll(/^(\w+)(?:\{.*\})? (\d+)$/gm))
        sums[name] = (sums[name] ?? 0) + Number(value)
    }
    expect(sums.refrain_credits_spent_total).toBe(sandbox.meter.credits)
    expect(sandbox.meter.credits).toBe(spent)
    expect(sums.refrain_operations_total).toBeGreaterThanOrEqual(60)
  }, 300_000)
})
