import * as fc from 'fast-check'
import { createMemoryBoard } from '../../src/board/memory.ts'
import { createBudget } from '../../src/credits/budget.ts'
import { createTallies } from '../../src/credits/tally.ts'
import { createLog } from '../../src/log.ts'
import { bounded, resetOf } from '../../src/upstream/transport/reset.ts'
import { T0 } from '../upstream/transport/clocks.ts'
import type { Effort } from './effort.ts'

const must = (isSo: boolean, what: string) => {
  if (!isSo) throw new Error(what)
}

/** Whatever a service writes in its headers, a pause lasts between a second and a quarter of an hour. */
export const pausesAreBounded = (effort: Effort): void => {
  const text = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.bigInt().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  )
  fc.assert(
    fc.property(text, text, text, (limit, retry, date) => {
      const told = resetOf({ 'x-ratelimit-reset': limit, 'retry-after': retry, date }, T0)
      if (told === undefined) return
      const pause = bounded(told, T0) - T0
      must(pause >= 1_000 && pause <= 900_000, `a pause of ${pause} ms`)
    }),
    effort,
  )
}

const TOKEN = 'pl4nted.T0ken-x_y~z'
/** Texts around a secret as headers, members and objects show it. */
const holders: readonly ((before: string, after: string) => readonly unknown[])[] = [
  (before, after) => [`${before} Bearer ${TOKEN} ${after}`],
  (before, after) => [`${before}{"refresh_token":"${TOKEN}"}${after}`],
  (before, after) => [`${before}{ refreshtoken: '${TOKEN}', a: 1 }`, after],
  (before, after) => [before, { authorization: TOKEN }, after],
  (before, after) => [new Error(`${before} authorization: "${TOKEN}"`), after],
]

/** Whatever is logged is one line of JSON without a control character, and never a secret. */
export const linesAreLines = (effort: Effort): void => {
  const text = fc.string({ unit: 'binary', maxLength: 5_000 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
  const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/
  const logged = (parts: readonly unknown[]) => {
    const lines: string[] = []
    createLog(
      'info',
      () => 0,
      (line) => lines.push(line),
    ).error(...parts)
    return lines
  }
  fc.assert(
    fc.property(text, text, fc.nat(holders.length - 1), (before, after, at) => {
      for (const parts of [[before], holders[at]?.(before, after) ?? []]) {
        const [line = '', ...others] = logged(parts)
        must(others.length === 0 && line.indexOf('\n') === line.length - 1, 'more than a line')
        const { message } = JSON.parse(line)
        must(message.length <= 2_000 * parts.length + parts.length, `${message.length} characters`)
        must(!control.test(message), 'a control character')
        must(!message.includes(TOKEN), `the secret: ${message}`)
      }
    }),
    effort,
  )
}

const NOON = Date.UTC(2026, 10, 28, 12)

/** Three who share a purse never spend more than is in it, whatever they charge and give back at once. */
export const pursesHold = async (effort: Effort): Promise<void> => {
  const moves = fc.array(fc.record({ at: fc.nat(2), credits: fc.nat(2), refund: fc.boolean() }), {
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(moves, fc.integer({ min: 0, max: 30 }), async (all, limit) => {
      const board = createMemoryBoard()
      const purse = () => createBudget('DAY', limit, createTallies(board), () => NOON)
      const budgets = [purse(), purse(), purse()]
      const kept = await Promise.all(
        all.map(async ({ at, credits, refund }) => {
          const receipt = await budgets[at]?.charge(credits).catch(() => undefined)
          if (receipt === undefined) return 0
          if (refund) receipt.refund()
          return refund ? 0 : credits
        }),
      )
      for (const budget of budgets) await budget.close()
      const spent = kept.reduce((sum: number, credits) => sum + credits, 0)
      must(spent <= limit, `${spent} of ${limit} spent`)
      const heir = purse()
      await heir.open()
      must(heir.remaining === limit - spent, `${heir.remaining} left of ${limit} less ${spent}`)
    }),
    effort,
  )
}
