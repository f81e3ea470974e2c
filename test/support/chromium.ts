import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

/** Flags of a container: no sandbox of its own, and nothing that Chromium would ask its maker for. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A proxy that is not there: loopback goes around it, everything else ends at it. Interception by
  // Playwright would do as well, but it sends `Cache-Control: no-cache`, which has a price here.
  '--proxy-server=http://127.0.0.1:9',
]

const isLocal = (url: URL) =>
  ['data:', 'blob:'].includes(url.protocol) || ['127.0.0.1', '[::1]'].includes(url.hostname)

/** A page that reaches loopback only. */
export interface OfflinePage {
  readonly page: Page
  /** Addresses elsewhere that it wanted; none was reached. */
  readonly wanted: readonly string[]
  /** What went wrong in it: thrown errors, and whatever its own content policy forbade. */
  readonly faults: readonly string[]
}

const watch = async (context: BrowserContext): Promise<OfflinePage> => {
  const wanted: string[] = []
  const faults: string[] = []
  context.on('request', (request) => {
    if (!isLocal(new URL(request.url()))) wanted.push(request.url())
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (line) => {
    if (/content security policy/i.test(line.text())) faults.push(line.text())
  })
  return { page, wanted, faults }
}

/** Debian's Chromium; CHROMIUM names another one. */
export const openChromium = async () => {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  if (!existsSync(executablePath))
    throw new Error(
      `No Chromium at ${executablePath}: install the package chromium, or set CHROMIUM to its path`,
    )
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  return {
    /** A page with empty storage. */
    openPage: async () =>
      watch(await browser.newContext({ viewport: { width: 1440, height: 900 } })),
    closePages: () => Promise.all(browser.contexts().map((context) => context.close())),
    close: () => browser.close(),
  }
}

/** What axe finds in a page that keeps somebody from using it. */
export const graveFaults = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  const violations: axe.Result[] = await page.evaluate(
    'axe.run().then((found) => found.violations)',
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Pixels by which a page is wider than its window. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
