import { exhaustion } from '../../credits/forecast.ts'
import { type Figure, one, SECOND } from './figure.ts'

/** What is spent, what is spared, and what is left. */
export const OF_CREDITS: readonly Figure[] = [
  {
    name: 'refrain_credits_spent_total',
    help: 'Credits of requests that went on the wire',
    kind: 'counter',
    labels: ['endpoint'],
    read: ({ upstream: { book } }) =>
      book.byEndpoint.map(({ name, spent }) => [spent, { endpoint: name }]),
  },
  {
    name: 'refrain_credits_spent_background_total',
    help: 'Those of them that no operation asked for: answers renewed, and token calls where they are billed',
    kind: 'counter',
    read: ({ upstream: { book } }) => one(book.backgroundSpent),
  },
  {
    name: 'refrain_credits_saved_total',
    help: 'Credits of requests that a naive gateway would have sent, by what made each unnecessary',
    kind: 'counter',
    labels: ['mechanism'],
    read: ({ upstream: { book } }) =>
      Object.entries(book.savedBy).map(([mechanism, saved]) => [saved, { mechanism }]),
  },
  {
    name: 'refrain_endpoint_credits_saved_total',
    help: 'The same credits by the endpoint that was not asked',
    kind: 'counter',
    labels: ['endpoint'],
    read: ({ upstream: { book } }) =>
      book.byEndpoint.map(({ name, saved }) => [saved, { endpoint: name }]),
  },
  {
    name: 'refrain_client_credits_spent_total',
    help: 'Credits that operations spent, by client',
    kind: 'counter',
    labels: ['client'],
    read: ({ upstream: { book } }) =>
      book.byClient.map(({ name, spent }) => [spent, { client: name }]),
  },
  {
    name: 'refrain_client_credits_saved_total',
    help: 'Credits that operations were spared, by client',
    kind: 'counter',
    labels: ['client'],
    read: ({ upstream: { book } }) =>
      book.byClient.map(({ name, saved }) => [saved, { client: name }]),
  },
  {
    name: 'refrain_budget_limit_credits',
    help: 'Credits of a budget, where one is set',
    kind: 'gauge',
    labels: ['period'],
    read: ({ budgets }) => budgets.map(({ period, limit }) => [limit, { period }]),
  },
  {
    name: 'refrain_budget_remaining_credits',
    help: 'Credits that are left of it',
    kind: 'gauge',
    labels: ['period'],
    read: ({ budgets }) => budgets.map(({ period, remaining }) => [remaining, { period }]),
  },
  {
    name: 'refrain_budget_reset_timestamp_seconds',
    help: 'When it fills up again',
    kind: 'gauge',
    labels: ['period'],
    read: ({ budgets }) => budgets.map(({ period, resetsAt }) => [resetsAt / SECOND, { period }]),
  },
  {
    name: 'refrain_budget_exhaustion_timestamp_seconds',
    help: 'When it ends at the pace of the last hour, of all replicas; absent where it fills up before',
    kind: 'gauge',
    labels: ['period'],
    read({ budgets, upstream: { books, clock } }) {
      // Summed up anew each time that it is asked for.
      const { sum } = books
      return budgets.flatMap((budget) => {
        const at = exhaustion(budget, sum, clock.now())
        return at === undefined ? [] : [[at / SECOND, { period: budget.period }] as const]
      })
    },
  },
]
