import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { GatewayParts } from '../../src/gateway.ts'
import { openGateway } from './gateway.ts'
import { openScript, type Scripted, type Seen } from './script.ts'

/** What a file of clients says of a client, beside its key. */
export interface Listed {
  readonly name: string
  readonly [setting: string]: unknown
}

export const keyOf = (name: string) => `key-of-${name}`
export const bearer = (name: string) => ({ authorization: `Bearer ${keyOf(name)}` })
export const hashOf = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`

/** A file of clients, each with the key that `keyOf` names. */
export const fileOf = (...clients: readonly Listed[]) =>
  JSON.stringify({
    clients: clients.map((client) => ({ keyHash: hashOf(keyOf(client.name)), ...client })),
  })

const NAMED = (): Scripted => ({ body: { obj: { id: 5, name: 'Ada', cm_artist_rank: 3 } } })

/** A gateway that asks who asks, in front of an upstream that answers as `reply` says. */
export const openClients = async (
  clients: readonly Listed[],
  {
    reply = NAMED,
    env = {},
    parts = {},
    files = {},
  }: {
    readonly reply?: (seen: Seen, count: number) => Scripted | Promise<Scripted>
    readonly env?: Record<string, string>
    readonly parts?: GatewayParts
    readonly files?: Readonly<Record<string, string>>
  } = {},
) => {
  const upstream = await openScript(reply)
  const opened = openGateway(upstream.url, { CLIENTS_FILE: 'clients.json', ...env }, parts, {
    'clients.json': fileOf(...clients),
    ...files,
  })
  onTestFinished(async () => {
    await opened.gateway.close()
    await upstream.close()
  })
  /** Asks as a client; gives all that it is told. */
  const raw = (query: string, headers: Record<string, string>, variables = {}) =>
    opened.gateway.answer({
      headers: new Headers({ 'content-type': 'application/json', ...headers }),
      body: JSON.stringify({ query, variables }),
    })
  return { ...opened, upstream, raw }
}
