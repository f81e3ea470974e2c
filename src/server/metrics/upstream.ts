import { TOKEN_STATES } from '../../upstream/token/state.ts'
import { among, type Figure, one, SECOND } from './figure.ts'

/** How it stands with the service: requests, pauses, the token, and what came otherwise than documented. */
export const OF_THE_UPSTREAM: readonly Figure[] = [
  {
    name: 'refrain_upstream_requests_running',
    help: 'Requests on the wire',
    kind: 'gauge',
    read: ({ transport: { gate } }) => one(gate.running),
  },
  {
    name: 'refrain_upstream_requests_waiting',
    help: 'Requests that wait for their turn',
    kind: 'gauge',
    read: ({ transport: { gate } }) => one(gate.waiting),
  },
  {
    name: 'refrain_upstream_pause_seconds',
    help: 'Seconds for which nothing is sent because the service asked for it; 0 without a pause',
    kind: 'gauge',
    read: ({ transport: { gate }, upstream: { clock } }) =>
      one(Math.max(0, gate.pausedUntil - clock.now()) / SECOND),
  },
  {
    name: 'refrain_upstream_breaker_open',
    help: '1 for each endpoint that is left alone because it keeps failing; `all` is 1 where no connection can be made, else 0',
    kind: 'gauge',
    labels: ['endpoint'],
    read: ({ transport: { breaker } }) => [
      [Number(breaker.connectionsOpen), { endpoint: 'all' }],
      ...breaker.open.map((endpoint) => [1, { endpoint }] as const),
    ],
  },
  {
    name: 'refrain_token_state',
    help: '1 for the state of the access token, 0 for the others',
    kind: 'gauge',
    labels: ['state'],
    read: ({ transport: { token } }) => among('state', TOKEN_STATES, token.state),
  },
  {
    name: 'refrain_token_age_seconds',
    help: 'Age of the access token; absent where none is held',
    kind: 'gauge',
    read: ({ transport: { token } }) => (token.age === undefined ? [] : one(token.age / SECOND)),
  },
  {
    name: 'refrain_token_unsaved',
    help: '1 while the newest refresh token exists in this process only',
    kind: 'gauge',
    read: ({ transport: { token } }) => one(token.unsaved),
  },
  {
    name: 'refrain_drift_total',
    help: 'Values that came otherwise than documented and were left out, by endpoint; /credits names the fields',
    kind: 'counter',
    labels: ['endpoint'],
    read: ({ upstream: { drift } }) => {
      const sums = new Map<string, number>()
      for (const [field, count] of drift.counts) {
        const [endpoint = ''] = field.split('.', 1)
        sums.set(endpoint, (sums.get(endpoint) ?? 0) + count)
      }
      return [...sums].map(([endpoint, count]) => [count, { endpoint }])
    },
  },
]
