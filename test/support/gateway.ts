import { type Config, readConfig } from '../../src/config.ts'
import { createGateway, type GatewayParts } from '../../src/gateway.ts'
import { secret } from '../../src/upstream/token/secret.ts'
import { openScript } from './script.ts'

export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the test's own query
  readonly data: any
  readonly errors: readonly {
    readonly message: string
    readonly path?: readonly (string | number)[]
    readonly extensions: { readonly code: string; readonly [key: string]: unknown }
  }[]
  readonly credits: {
    readonly spent: number
    readonly saved: number
    readonly savedBy: Readonly<Record<string, number>>
  }
  readonly status: number
}

/** What any file holds that the settings name, or what each does by its path. */
type Files = string | Readonly<Record<string, string>>

/** Settings as a process would read them. */
export const configOf = (env: Record<string, string> = {}, files: Files = ''): Config => {
  const reading = readConfig(
    { STATE_DIR: 'off', LOG_LEVEL: 'silent', SANDBOX: '1', ...env },
    (path) => (typeof files === 'string' ? files : (files[path] ?? '')),
  )
  if (!reading.ok) throw new Error(reading.faults.join('\n'))
  return {
    ...reading.config,
    upstreamRefreshToken: secret(env.UPSTREAM_REFRESH_TOKEN ?? 'seed'),
  }
}

/** A gateway in front of some upstream, asked as a client asks it. */
export const openGateway = (
  url: string,
  env: Record<string, string> = {},
  parts: GatewayParts = {},
  files: Files = '',
) => {
  const gateway = createGateway(configOf(env, files), url, parts)
  const query = async (
    text: string,
    variables: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Result> => {
    const response = await gateway.answer({
      headers: new Headers({ 'content-type': 'application/json', ...headers }),
      body: JSON.stringify({ query: text, variables }),
    })
    const { data, errors = [], extensions } = JSON.parse(response.body.toString())
    return { data, errors, credits: extensions?.credits, status: response.status }
  }
  return { gateway, query }
}

/** A gateway on an upstream that says what the test tells it to. */
export const openScripted = async (...script: Parameters<typeof openScript>) => {
  const upstream = await openScript(...script)
  const opened = openGateway(upstream.url)
  return {
    ...opened,
    upstream,
    async close() {
      await opened.gateway.close()
      await upstream.close()
    },
  }
}
