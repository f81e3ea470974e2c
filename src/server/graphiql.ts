import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { examples } from './examples.ts'

export interface GraphiqlOptions {
  readonly title: string
  /** Path that the page sends its operations to. */
  readonly endpoint: string
  /** Whether the data is invented, so that the page says so. */
  readonly sandbox: boolean
}

/** What of a request decides the answer. */
export interface PageRequest {
  readonly acceptEncoding?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

export interface PageAnswer {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

interface Page {
  readonly packed: Buffer
  readonly etag: string
  readonly policy: string
}

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** A repeat sign: what a refrain is written with. */
const SIGN =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28"><rect width="32" height="32" rx="7" fill="#1f2937"/><path d="M7 8v16M26 8v16" stroke="#f9fafb" stroke-width="3"/><path d="M11 8v16M22 8v16" stroke="#f9fafb" stroke-width="1.2"/><circle cx="16.5" cy="13" r="1.9" fill="#f9fafb"/><circle cx="16.5" cy="19" r="1.9" fill="#f9fafb"/></svg>'

/**
 * GraphiQL 5 places several first tabs far to the right and undoes it in CSS until one has the focus:
 * pressed, a tab jumps away before the click arrives. Here a tab stays, and is not dragged.
 */
const STAY = {
  style: '.graphiql-tab { transform: none !important }',
  script: `addEventListener('pointerdown', (event) => {
  if (event.target.closest('.graphiql-tab')) event.stopPropagation()
}, true)
`,
}

/** One inline script, known by its hash: a nonce would have to change with each answer and the page could not be kept. */
const policyOf = (html: string) => {
  const script = html.slice(html.indexOf('<script>') + 8, html.lastIndexOf('</script>'))
  const hash = createHash('sha256').update(script).digest('base64')
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
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

const render = async ({ title, endpoint, sandbox }: GraphiqlOptions): Promise<Page> => {
  // 9 MB of script, loaded when somebody looks at the page.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const html = renderGraphiQL({
    title,
    endpoint,
    favicon: `data:image/svg+xml,${encodeURIComponent(SIGN)}`,
    logo: SIGN,
    defaultTabs: examples(sandbox),
    defaultEditorToolsVisibility: false,
    // A key typed into the headers is forgotten with the page.
    shouldPersistHeaders: false,
    schemaDescription: true,
  })
    .replaceAll('\r', '')
    .replace('</style>', `${STAY.style}</style>`)
    .replace('<script>', `<script>${STAY.script}`)
  return {
    packed: await compress(html, { level: 9 }),
    etag: `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
    policy: policyOf(html),
  }
}

/** The explorer page, complete in itself: no other host is asked for anything. */
export const createGraphiql = (options: GraphiqlOptions) => {
  let page: Promise<Page> | undefined
  return async ({ acceptEncoding, ifNoneMatch }: PageRequest): Promise<PageAnswer> => {
    page ??= render(options)
    const { packed, etag, policy } = await page
    const headers = {
      etag,
      vary: 'accept-encoding',
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }
    if (ifNoneMatch?.includes(etag)) return { status: 304, headers }
    const type = { 'content-type': 'text/html; charset=utf-8' }
    if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(acceptEncoding ?? ''))
      return {
        status: 200,
        headers: { ...headers, ...type, 'content-encoding': 'gzip' },
        body: packed,
      }
    return { status: 200, headers: { ...headers, ...type }, body: await expand(packed) }
  }
}
