import { existsSync } from 'node:fs'
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
]

const isLocal = (url: URL) =>
  ['data:', 'blob:'].includes(url.protocol) || ['127.0.0.1', '[::1]'].includes(url.hostname)

/** A page that reaches loopback only. */
export interface OfflinePage {
  readonly page: Page
  /** Addresses that it wanted elsewhere; each was refused. */
  readonly refused: readonly string[]
  /** What went wrong in it: thrown errors, and whatever its own content policy forbade. */
  readonly faults: readonly string[]
}

const watch = async (context: BrowserContext): Promise<OfflinePage> => {
  const refused: string[] = []
  const faults: string[] = []
  await context.route('**', async (route) => {
    const url = route.request().url()
    if (isLocal(new URL(url))) return route.continue()
    refused.push(url)
    return route.abort()
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (line) => {
    if (/content security policy/i.test(line.text())) faults.push(line.text())
  })
  return { page, refused, faults }
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
    close: () => browser.close(),
  }
}
