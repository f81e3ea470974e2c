import { createSandbox, type SandboxOptions } from '../../src/sandbox/server.ts'

/** Members that some answer has, whichever was asked for. */
export interface Body {
  readonly token: string
  readonly refresh_token: string
  readonly obj: {
    readonly id: number
    readonly cm_album: number
    readonly length: number
    readonly data: readonly unknown[] | string
    readonly venueInfo: readonly unknown[]
    readonly suggestions: readonly unknown[]
    readonly cm_statistics: unknown
  }
}

export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

const parsed = (text: string): Body => {
  try {
    return JSON.parse(text)
  } catch {
    return {} as Body
  }
}

/** A sandbox on a port, its clock in the test's hand, asked over HTTP. */
export const openSandbox = async (options: Partial<SandboxOptions> = {}) => {
  let now = Date.parse('2026-03-10T12:00:00Z')
  const slept: number[] = []
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      slept.push(ms)
    },
  }
  const sandbox = createSandbox({ clock, refreshToken: 'seed', ...options })
  const url = await sandbox.listen()
  let token = ''
  const fetchText = async (path: string, init: RequestInit = {}): Promise<Got> => {
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetchText(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const mint = (refreshtoken: unknown) => post('/api/token', { refreshtoken })
  const authorize = async () => {
    if (token === '') token = (await mint('seed')).body.token
    return { authorization: `Bearer ${token}` }
  }
  return {
    sandbox,
    meter: sandbox.meter,
    url,
    slept,
    advance(ms: number) {
      now += ms
    },
    seconds: () => now / 1000,
    fetch: fetchText,
    mint,
    post: async (path: string, body: unknown) => post(path, body, await authorize()),
    get: async (path: string, headers: Record<string, string> = {}) =>
      fetchText(path, { headers: { ...(await authorize()), ...headers } }),
    close: () => sandbox.close(),
  }
}
