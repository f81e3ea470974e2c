import { type Figure, one } from './figure.ts'

/** Who asks, and who is refused. */
export const OF_CLIENTS: readonly Figure[] = [
  {
    name: 'refrain_client_operations_total',
    help: 'Operations that ran, by client',
    kind: 'counter',
    labels: ['client'],
    read: ({ register: { operations } }) =>
      operations.map(({ client, count }) => [count, { client }]),
  },
  {
    name: 'refrain_client_refusals_total',
    help: 'Requests of which something was refused for want of a right (FORBIDDEN) or of credits, by client',
    kind: 'counter',
    labels: ['client', 'code'],
    read: ({ register: { refused } }) =>
      refused.map(({ client, code, count }) => [count, { client, code }]),
  },
  {
    name: 'refrain_strangers_total',
    help: 'Requests that came without the key of a client',
    kind: 'counter',
    read: ({ register: { strangers } }) => one(strangers),
  },
]
