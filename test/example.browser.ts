import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { graveFaults, openChromium, overhang } from './support/chromium.ts'
import { startGateway, startProgram } from './support/process.ts'

const FOLDER = 'examples/react'

/** What the view says that it cost. */
const billOf = (page: Page) => page.getByRole('status', { name: 'Credits of this view' })

const search = async (page: Page, url: string, text: string) => {
  await page.goto(url)
  await page.getByRole('searchbox', { name: 'Artist' }).fill(text)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('followers on platA').first().waitFor()
}

describe('the example app in a browser', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>
  let app: Awaited<ReturnType<typeof startProgram>>
  let chromium: Awaited<ReturnType<typeof openChromium>>
  beforeAll(async () => {
    mkdirSync('.out', { recursive: true })
    execFileSync('npm', ['run', '--silent', 'build'], {
      cwd: FOLDER,
      env: { ...process.env, NODE_ENV: 'production' },
    })
    chromium = await openChromium()
    gateway = await startGateway()
    app = await startProgram({
      args: ['node_modules/vite/bin/vite.js', 'preview'],
      cwd: FOLDER,
      env: { GATEWAY: gateway.url },
      probe: (url) => fetch(url),
    })
  }, 180_000)
  afterEach(() => chromium.closePages())
  afterAll(async () => {
    await chromium?.close()
    await app?.stop()
    await gateway?.stop()
  })

  it('goes from a search to an artist with pictures of figures, and tells the credits of each view', async () => {
    const { page, faults } = await chromium.openPage()
    await page.goto(app.url)
    expect(await billOf(page).textContent()).toBe('This view has asked for nothing.')
    await search(page, app.url, 'river')
    await expect
      .poll(() => billOf(page).textContent())
      .toMatch(/^This view: 1 credit spent, \d+ saved$/)
    const first = page.getByRole('listitem').getByRole('link').first()
    const name = await first.textContent()
    await first.click()
    await page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor()
    for (const label of ['Listeners of a month on platA by city', 'Plays on platA by track']) {
      const picture = page.getByRole('img', { name: label })
      expect(await picture.locator('.recharts-bar-rectangle').count()).toBeGreaterThan(2)
    }
    await expect.poll(() => billOf(page).textContent()).toMatch(/^This view: 3 credits spent, /)
    await page.goBack()
    await page.getByText('followers on platA').first().waitFor()
    expect(await billOf(page).textContent()).toBe('This view has asked for nothing.')
    expect(faults).toEqual([])
  })

  it('says in words what it does not find', async () => {
    const { page } = await chromium.openPage()
    await page.goto(`${app.url}#/search/qqqqzzzz`)
    await page.getByText('No artist is called anything like “qqqqzzzz”.').waitFor()
    await page.goto(`${app.url}#/artist/2147483647`)
    await page.getByRole('heading', { name: 'There is no such artist.' }).waitFor()
    await page.goto(`${app.url}#/artist/1`)
    await page.getByRole('alert').waitFor()
  })

  it('scrolls through playlists without an end, and buys no page twice', async () => {
    const { page } = await chromium.openPage()
    await page.goto(`${app.url}#/playlists`)
    const rows = page.locator('.row')
    await rows.first().waitFor()
    await expect.poll(() => billOf(page).textContent()).toMatch(/^This view: 1 credit spent/)
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 5000)
          return rows.count()
        },
        { timeout: 120_000 },
      )
      .toBeGreaterThanOrEqual(200)
    const shown = await rows.allTextContents()
    expect(new Set(shown).size).toBe(shown.length)
    expect(await billOf(page).textContent()).toMatch(/^This view: 2 credits spent, \d+ saved$/)
  })

  it('goes on where a busy browser tells of several changes of what is in sight at once', async () => {
    const { page } = await chromium.openPage()
    await page.addInitScript(() => {
      window.IntersectionObserver = class extends IntersectionObserver {
        constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          super((changes, watch) => {
            const unseen = { isIntersecting: { value: false } }
            tell(
              changes.flatMap((change) => [Object.create(change, unseen), change]),
              watch,
            )
          }, options)
        }
      }
    })
    await page.goto(`${app.url}#/playlists`)
    const rows = page.locator('.row')
    await rows.first().waitFor()
    await page.mouse.wheel(0, 5000)
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBeGreaterThanOrEqual(50)
  })

  it('draws the ranks of a chart day by day', async () => {
    const { page } = await chromium.openPage()
    await page.goto(`${app.url}#/chart`)
    const picture = page.getByRole('img', { name: 'Ranks by day of the first 5 entries' })
    await picture.waitFor()
    expect(await picture.locator('path.recharts-line-curve').count()).toBe(5)
    expect(await page.locator('ol > li').count()).toBe(20)
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    it.each(['search/river', 'artist/2', 'chart', 'playlists'])(
      'shows %s, and axe finds nothing serious',
      async (place) => {
        const { page } = await chromium.openPage()
        await page.emulateMedia({ colorScheme })
        await page.goto(`${app.url}#/${place}`)
        await expect.poll(() => billOf(page).textContent()).toMatch(/spent/)
        await page.getByRole('heading', { level: 1 }).waitFor()
        const name = place.replace('/', '-')
        await page.screenshot({ path: `.out/example-${name}-${colorScheme}.png`, fullPage: true })
        expect(await graveFaults(page)).toEqual([])
        await page.setViewportSize({ width: 390, height: 844 })
        await expect.poll(() => overhang(page)).toBe(0)
        expect(await graveFaults(page)).toEqual([])
      },
    )
  })
})
