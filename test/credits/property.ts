import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { createSandbox } from '../../src/sandbox/server.ts'
import type { Clock } from '../../src/upstream/transport/send.ts'
import { openGateway } from '../support/gateway.ts'
import { type Answered, ask, handClock, naive, priceOf, type Wanted } from './ask.ts'
import { operations, type Sendable } from './document.ts'
import { openUnruly } from './unruly.ts'

/** How often, and from which seed; a failure prints the seed and the path to its smallest case. */
export interface Effort {
  readonly runs: number
  readonly seed: number
}

type Opened = ReturnType<typeof openGateway>

/** However many credits an operation may take, and however busy this machine is. */
const WITHOUT_LIMIT = {
  CREDITS_PER_OPERATION: '1000000',
  OPERATION_TIMEOUT_MS: '600000',
  UPSTREAM_TIMEOUT_MS: '600000',
}

/** A service, as it is documented or as unruly as that leaves room for, and as many cold gateways in front of it as a property wants. */
export const openService = async (
  clock: Clock = handClock('2026-03-10T12:00:00Z').clock,
  env: Readonly<Record<string, string>> = {},
  isUnruly = false,
) => {
  const sandbox = createSandbox({
    clock,
    flawedRows: isUnruly,
    refreshToken: 'seed',
    rotation: 'none',
  })
  const own = await sandbox.listen()
  const unruly = isUnruly ? await openUnruly(own) : undefined
  const url = unruly?.url ?? own
  return {
    sandbox,
    meter: sandbox.meter,
    /** Does something with gateways that have seen nothing yet, and closes them. */
    async withCold<T>(use: (open: () => Opened) => Promise<T>): Promise<T> {
      const opened: Opened[] = []
      try {
        return await use(() => {
          const gateway = openGateway(url, { ...WITHOUT_LIMIT, ...env }, { clock })
          opened.push(gateway)
          return gateway
        })
      } finally {
        for (const { gateway } of opened) await gateway.close()
      }
    },
    async close() {
      await unruly?.close()
      await sandbox.close()
    },
  }
}

const wanted = ({ variables }: Sendable, headers: Wanted['headers'] = {}): Wanted => ({
  variables,
  headers,
})

export const demand = (holds: boolean, what: () => string): void => {
  if (!holds) throw new Error(what())
}

export const check = <T>(
  arbitrary: fc.Arbitrary<T>,
  { runs, seed }: Effort,
  holds: (value: T) => Promise<void>,
) => fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: runs, seed })

/** Without faults, nothing fails but what is asked for wrongly. */
const failed = ({ errors }: Answered): string[] =>
  errors.map(({ extensions }) => extensions.code).filter((code) => code !== 'BAD_USER_INPUT')

const sumOf = ({ savedBy }: Answered['credits']) =>
  Object.values(savedBy).reduce((sum, credits) => sum + credits, 0)

/** Whether an operation was refused whole: too large, so that it is neither priced nor run. */
export const isRefused = ({ data, errors }: Answered): boolean =>
  data === undefined && errors.length > 0

/** Least ≤ spent ≤ most whatever the service's rows hold or lack, the meter agrees, and the savings have their reasons: for some operations one after another. */
export const pricesBound = async (effort: Effort): Promise<void> => {
  const service = await openService(undefined, {}, true)
  await check(fc.array(operations, { minLength: 1, maxLength: 3 }), effort, (asked) =>
    service.withCold(async (open) => {
      const opened = open()
      for (const { inline } of asked) {
        const plan = await priceOf(opened, inline.query)
        const before = service.meter.credits
        const answered = await ask(opened, inline.query)
        const { credits } = answered
        if (isRefused(answered))
          return demand(service.meter.credits === before, () => 'refused, yet sent')
        const metered = service.meter.credits - before
        demand(
          plan.min <= credits.spent && credits.spent <= plan.max,
          () => `${plan.min} ≤ ${credits.spent} ≤ ${plan.max}: ${inline.query}`,
        )
        demand(failed(answered).length === 0, () => `${failed(answered)}: ${inline.query}`)
        demand(credits.spent === metered, () => `${credits.spent} spent, ${metered} metered`)
        demand(credits.saved === sumOf(credits), () => JSON.stringify(credits))
        demand(opened.gateway.upstream.book.backgroundSpent === 0, () => 'spent behind the back')
      }
    }),
  )
  await service.close()
}

/** Cold, warm and half-warm gateways give the same data; the same again costs nothing. */
export const answersStay = async (effort: Effort): Promise<void> => {
  const service = await openService()
  const some = fc.tuple(operations, fc.array(operations, { minLength: 1, maxLength: 3 }))
  await check(some, effort, ([{ inline: asked }, others]) =>
    service.withCold(async (open) => {
      const [cold, half] = [open(), open()]
      const first = await ask(cold, asked.query)
      if (isRefused(first)) return
      const warm = await ask(cold, asked.query)
      for (const { inline } of others) await ask(half, inline.query)
      const late = await ask(half, asked.query)
      const tell = (other: Answered) => () =>
        `${JSON.stringify(first.data)}\n${JSON.stringify(other.data)}\n${asked.query}`
      demand(isDeepStrictEqual(warm.data, first.data), tell(warm))
      demand(isDeepStrictEqual(late.data, first.data), tell(late))
      demand(warm.credits.spent === 0, () => `again: ${warm.credits.spent}: ${asked.query}`)
      demand(
        late.credits.spent <= first.credits.spent,
        () => `half-warm costs more: ${asked.query}`,
      )
      demand(
        naive(warm) === naive(first),
        () => `request by request ${naive(first)}, then ${naive(warm)}: ${asked.query}`,
      )
    }),
  )
  await service.close()
}

/** Values in the document and values beside it have one price, in its order; nobody is asked for it. */
export const valuesPriceAlike = async (effort: Effort): Promise<void> => {
  const service = await openService()
  await service.withCold(async (open) => {
    const [one, other] = [open(), open()]
    await check(operations, effort, async ({ inline, bound }) => {
      const within = await priceOf(one, inline.query)
      const beside = await priceOf(other, bound.query, wanted(bound))
      demand(
        isDeepStrictEqual(within, beside),
        () => `${JSON.stringify(within)}\n${JSON.stringify(beside)}\n${inline.query}`,
      )
      if (within === undefined) return
      const { min, likely, max } = within
      demand(min <= likely && likely <= max, () => `${min} ≤ ${likely} ≤ ${max}: ${inline.query}`)
    })
  })
  demand(service.meter.credits === 0, () => `${service.meter.credits} spent on prices`)
  await service.close()
}
