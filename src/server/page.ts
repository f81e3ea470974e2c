import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { codeOf } from '../errors.ts'
import { etagOf } from '../execution/body.ts'
import { TYPES, weighed } from '../plugins/accept.ts'
import { codingIn, isKnown } from './representation.ts'

export interface PageOptions {
  /** The bundle that it is made of. */
  readonly name: 'graphiql' | 'credits'
  readonly title: string
  /** What its script finds as `refrainPage`. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** What of a request decides the answer. */
export interface PageRequest {
  readonly acceptEncoding?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

export interface PageAnswer {
  readonly status: 200 | 304 | 406 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

interface Rendered {
  readonly packed: Buffer
  readonly etag: string
  readonly policy: string
}

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** A repeat sign: what a refrain is written with. */
const SIGN =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28"><rect width="32" height="32" rx="7" fill="#1f2937"/><path d="M7 8v16M26 8v16" stroke="#f9fafb" stroke-width="3"/><path d="M11 8v16M22 8v16" stroke="#f9fafb" stroke-width="1.2"/><circle cx="16.5" cy="13" r="1.9" fill="#f9fafb"/><circle cx="16.5" cy="19" r="1.9" fill="#f9fafb"/></svg>'

/** Written by `npm run build`, beside the server's own output. */
const BUNDLE = new URL('../../dist/ui/', import.meta.url)

/** One inline script, known by its hash: a nonce would have to change with each answer and the page could not be kept. */
const policyOf = (html: string) => {
  const script = html.slice(html.indexOf('<script>') + 8, html.lastIndexOf('</script>'))
  const digest = hash('sha256', script, 'base64')
  return [
    "default-src 'none'",
    `script-src 'sha256-${digest}'`,
    // The editor writes style elements while it runs.
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    "connect-src 'self'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const render = async ({ name, title, options }: PageOptions, bundle: URL): Promise<Rendered> => {
  // Megabytes, read when somebody looks at the page.
  const [script, style] = await Promise.all(
    ['js', 'css'].map((kind) => readFile(new URL(`${name}.${kind}`, bundle), 'utf8')),
  )
  const icon = `data:image/svg+xml,${encodeURIComponent(SIGN)}`
  const told = JSON.stringify({ title, icon, ...options })
  const inline = `const refrainPage=${told.replaceAll('<', '\\u003c')}\n${script}`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<main id="root"></main>
<script>${inline.replaceAll('</script', '<\\/script').replaceAll('\r', '')}</script>
</body>
</html>
`
  return {
    packed: await compress(html, { level: 9 }),
    etag: etagOf(html),
    policy: policyOf(html),
  }
}

/** To who takes it in no way that it travels in. */
const NOT_TAKEN: PageAnswer = {
  status: 406,
  headers: { 'content-type': 'text/plain; charset=utf-8', vary: 'accept-encoding' },
  body: Buffer.from('A page travels as gzip or as it is, and Accept-Encoding takes neither\n'),
}

/** In place of the page where the install had no packages to build it with. */
const NOT_BUILT: PageAnswer = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: Buffer.from(
    'This page is not built here: `npm ci && npm run build` makes it, without --omit=dev. Operations are answered all the same.\n',
  ),
}

/** A page that is complete in itself: no other host is asked for anything. */
export const createPage = (options: PageOptions, bundle = BUNDLE) => {
  let page: Promise<Rendered> | undefined
  const find = async (): Promise<Rendered | undefined> => {
    page ??= render(options, bundle)
    try {
      return await page
    } catch (failure) {
      page = undefined
      if (codeOf(failure) === 'ENOENT') return undefined
      throw failure
    }
  }

  return async ({ acceptEncoding, ifNoneMatch }: PageRequest): Promise<PageAnswer> => {
    const found = await find()
    if (found === undefined) return NOT_BUILT
    const { packed, etag, policy } = found
    const headers = {
      etag,
      vary: 'accept-encoding',
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }
    if (isKnown(ifNoneMatch, etag)) return { status: 304, headers }
    const type = { 'content-type': 'text/html; charset=utf-8' }
    const coding = codingIn(acceptEncoding ?? 'identity', ['gzip', 'identity'])
    if (coding === undefined) return NOT_TAKEN
    if (coding === 'gzip')
      return {
        status: 200,
        headers: { ...headers, ...type, 'content-encoding': 'gzip' },
        body: packed,
      }
    return { status: 200, headers: { ...headers, ...type }, body: await expand(packed) }
  }
}

export type Page = ReturnType<typeof createPage>

export const showPage = async (
  page: Page,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const answer = await page({
    acceptEncoding: headers['accept-encoding']?.toString(),
    ifNoneMatch: headers['if-none-match'],
  })
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

const HTML = 'text/html'

/** A browser that opens or reloads a page; the explorer keeps its query in the address, so that one may be there. */
export const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && weighed(headers.accept ?? '*/*', [...TYPES, HTML]) === HTML
