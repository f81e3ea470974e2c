import { ANONYMOUS, type Client, ROUTER } from '../clients/client.ts'
import type { Context } from '../context.ts'
import type { Use } from '../credits/book.ts'
import { type Budget, stretchOf, tightestFirst } from '../credits/budget.ts'
import type { Figures } from '../credits/figures.ts'
import { exhaustion } from '../credits/forecast.ts'
import { builder } from './builder.ts'
import { spending } from './spends.ts'

interface CreditsSource {
  readonly client: Client
  /** Of all replicas. */
  readonly book: Figures
  readonly budgets: readonly Budget[]
  readonly now: number
}

const iso = (moment: number): string => new Date(moment).toISOString()

/** When the first of the budgets ends at the present pace; none where they begin anew before. */
const firstExhaustion = ({ book, budgets, now }: CreditsSource): number | undefined => {
  const ends = budgets.flatMap((budget) => exhaustion(budget, book, now) ?? [])
  return ends.length === 0 ? undefined : Math.min(...ends)
}

const CreditSavings = builder.objectRef<Figures['savedBy']>('CreditSavings').implement({
  description: 'Credits not spent, by reason.',
  fields: (t) => ({
    hydrated: t.expose('hydrated', {
      type: 'BigInt',
      nullable: false,
      description: "The parent's row held it.",
    }),
    window: t.expose('window', {
      type: 'BigInt',
      nullable: false,
      description: 'Cut from a window already paid for.',
    }),
    batched: t.expose('batched', {
      type: 'BigInt',
      nullable: false,
      description: 'Shared one request with others.',
    }),
    cache: t.expose('cache', {
      type: 'BigInt',
      nullable: false,
      description: 'Held from an earlier request.',
    }),
    merged: t.expose('merged', {
      type: 'BigInt',
      nullable: false,
      description: 'The same request was already under way.',
    }),
  }),
})

const CreditBudgetScope = builder.enumType('CreditBudgetScope', {
  description: 'Whose budget.',
  values: {
    DEPLOYMENT: { description: 'Of the whole deployment.' },
    CLIENT: { description: 'Of one client.' },
  },
})

const CreditPeriod = builder.enumType('CreditPeriod', {
  description: 'Span of a budget.',
  values: { DAY: { description: 'A day.' }, MONTH: { description: 'A month.' } },
})

const CreditBudget = builder.objectRef<Budget>('CreditBudget').implement({
  description: 'A budget.',
  fields: (t) => ({
    scope: t.field({
      type: CreditBudgetScope,
      nullable: false,
      description: 'Whose.',
      resolve: ({ client }) => (client === undefined ? 'DEPLOYMENT' : 'CLIENT'),
    }),
    client: t.string({
      description: 'Name of the client, for its own budget; else null.',
      resolve: ({ client }) => client,
    }),
    period: t.expose('period', {
      type: CreditPeriod,
      nullable: false,
      description: 'How often it starts anew.',
    }),
    limit: t.expose('limit', {
      type: 'BigInt',
      nullable: false,
      description: 'Credits in a period.',
    }),
    remaining: t.expose('remaining', {
      type: 'BigInt',
      nullable: false,
      description: 'Credits left.',
    }),
    resetsAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it starts anew.',
      resolve: ({ resetsAt }) => iso(resetsAt),
    }),
  }),
})

const CreditBurnRate = builder.objectRef<CreditsSource>('CreditBurnRate').implement({
  description: 'How fast credits go.',
  fields: (t) => ({
    perHour: t.float({
      nullable: false,
      description: 'Credits in an hour, by the last hour.',
      resolve: ({ book }) => book.perHour,
    }),
    stretch: t.float({
      nullable: false,
      description:
        'How many times as long answers are taken for fresh, because a budget goes faster than its span: 1 to 3.',
      resolve: ({ budgets }) => stretchOf(budgets),
    }),
    exhaustedAt: t.field({
      type: 'DateTime',
      description:
        'When the tightest budget ends at this pace; null if none does before it starts anew.',
      resolve: (source) => {
        const at = firstExhaustion(source)
        return at === undefined ? null : iso(at)
      },
    }),
  }),
})

const CreditUse = builder.objectRef<Use>('CreditUse').implement({
  description: 'Credits of one endpoint, operation, field or client.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'Its name.' }),
    spent: t.expose('spent', { type: 'BigInt', nullable: false, description: 'Credits spent.' }),
    saved: t.expose('saved', { type: 'BigInt', nullable: false, description: 'Credits saved.' }),
  }),
})

const Credits = builder.objectRef<CreditsSource>('Credits').implement({
  description: "What was spent and saved since `since`. Spent = the service's own meter.",
  fields: (t) => ({
    since: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'Since when these figures count.',
      resolve: ({ book }) => iso(book.since),
    }),
    spent: t.field({
      type: 'BigInt',
      nullable: false,
      description: 'Credits put on the wire, `backgroundSpent` included.',
      resolve: ({ book }) => book.spent,
    }),
    backgroundSpent: t.field({
      type: 'BigInt',
      nullable: false,
      description: 'Of these, spent by no operation: revalidation and warm-up.',
      resolve: ({ book }) => book.backgroundSpent,
    }),
    saved: t.field({
      type: 'BigInt',
      nullable: false,
      description: 'Credits not spent: the sum of savedBy.',
      resolve: ({ book }) => Object.values(book.savedBy).reduce((sum, saved) => sum + saved, 0),
    }),
    savedBy: t.field({
      type: CreditSavings,
      nullable: false,
      description: 'Why they were not spent; each has one reason.',
      resolve: ({ book }) => book.savedBy,
    }),
    budgets: t.field({
      type: [CreditBudget],
      nullable: false,
      description: 'Budgets that bind the caller, tightest first.',
      resolve: ({ budgets }) => tightestFirst(budgets),
    }),
    burnRate: t.field({
      type: CreditBurnRate,
      nullable: false,
      description: 'How fast credits go.',
      resolve: (source) => source,
    }),
    byEndpoint: t.field({
      type: [CreditUse],
      nullable: false,
      description: 'By endpoint, greatest spender first.',
      resolve: ({ book }) => book.byEndpoint,
    }),
    byOperation: t.field({
      type: [CreditUse],
      nullable: false,
      description: 'By operation name, greatest spender first.',
      resolve: ({ book }) => book.byOperation,
    }),
    byField: t.field({
      type: [CreditUse],
      nullable: false,
      description: 'By the field that asked, greatest spender first.',
      resolve: ({ book }) => book.byField,
    }),
    byClient: t.field({
      type: [CreditUse],
      nullable: false,
      description: 'By client, greatest spender first; a client with a key sees itself only.',
      resolve: ({ book, client: { name } }) =>
        [ANONYMOUS, ROUTER].includes(name)
          ? book.byClient
          : book.byClient.filter((use) => use.name === name),
    }),
  }),
})

builder.queryField('credits', (t) =>
  t.field({
    type: Credits,
    nullable: false,
    description: 'What this deployment spent and saved; costs nothing.',
    extensions: { directives: { inaccessible: {} } },
    resolve: spending(
      { tellsCosts: true },
      async (_query: object, _args: object, context: Context): Promise<CreditsSource> => {
        const { upstream, budgets, client, operation } = context
        operation.served.noteMomentary()
        await upstream.books.look()
        return { client, book: upstream.books.sum, budgets, now: upstream.clock.now() }
      },
    ),
  }),
)
