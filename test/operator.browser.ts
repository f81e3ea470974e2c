import { mkdirSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { graveFaults, openChromium, overhang } from './support/chromium.ts'
import { startGateway } from './support/process.ts'

/** Six requests. */
const ROSTER =
  'query Roster { artists(cmIds: [11, 12, 13, 14, 15]) { rank } track(cmId: 7) { score } }'
/** The page asks every two seconds. */
const SOON = { timeout: 30_000 }

describe("the operator's page in a browser", () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>
  let chromium: Awaited<ReturnType<typeof openChromium>>
  let address: string
  const ask = async (query: string) => {
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    return (await answer.json()).extensions.credits.spent
  }

  beforeAll(async () => {
    mkdirSync('.out', { recursive: true })
    chromium = await openChromium()
    gateway = await startGateway({ CREDITS_PER_DAY: '50', CREDITS_PER_MONTH: '1000000' })
    address = /Operator: (\S+)/.exec(gateway.log())?.[1] ?? ''
  }, 60_000)
  afterEach(() => chromium.closePages())
  afterAll(async () => {
    await chromium?.close()
    await gateway?.stop()
  })

  it('says in words that nothing has happened yet', async () => {
    const { page } = await chromium.openPage()
    await page.goto(address)
    await page.getByText('Nothing has been spent or saved yet.').waitFor()
    await page.getByText('This day: 0 of 50 credits spent, 50 left').waitFor()
    await page.getByText('Every value came as the service documents it.').waitFor()
    expect(await graveFaults(page)).toEqual([])
  })

  it('tells while it is looked at what is spent and saved', async () => {
    const { page, wanted, faults } = await chromium.openPage()
    await page.goto(address)
    const figure = (name: string) =>
      page.locator('dl.figures > div', { hasText: name }).locator('dd').first()
    await figure('Spent').waitFor()
    const spent = await ask(ROSTER)
    expect(spent).toBe(6)
    await expect.poll(() => figure('Spent').textContent(), SOON).toBe('6')
    await ask('query Again { artist(cmId: 11) { rank } again: artist(cmId: 11) { name } }')
    await expect.poll(() => figure('Saved').textContent(), SOON).toBe('2')
    expect(await figure('Hit ratio').textContent()).toBe('25%')
    await page.getByText('This day: 6 of 50 credits spent, 44 left').waitFor()
    // The month's, which comes last: whether the day's lasts depends on the hour.
    await page
      .getByText(/At the pace of the last hour it lasts until it starts anew/)
      .last()
      .waitFor()
    const endpoints = page.locator('section', { hasText: 'By endpoint' })
    expect(await endpoints.getByRole('row').nth(1).allInnerTexts()).toEqual(['artist\t5\t2\t28.6%'])
    await page.getByRole('row', { name: 'Again 0 2 100%' }).waitFor()
    const picture = page.getByRole('img', { name: 'Credits spent and saved, by minute' })
    expect(await picture.locator('.recharts-bar-rectangle path').count()).toBeGreaterThan(0)
    expect([wanted, faults]).toEqual([[], []])
  })

  it.each(['light', 'dark'] as const)(
    'shows it, and axe finds nothing serious, %s',
    async (colorScheme) => {
      const { page } = await chromium.openPage()
      await page.emulateMedia({ colorScheme })
      await ask(ROSTER)
      await page.goto(address)
      await page.getByRole('img', { name: /Credits spent and saved/ }).waitFor()
      await page.screenshot({ path: `.out/operator-${colorScheme}.png`, fullPage: true })
      expect(await graveFaults(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect.poll(() => overhang(page)).toBe(0)
    },
  )

  it('says whose figures they are where there are replicas, and what is missing while Redis is away', async () => {
    const { page } = await chromium.openPage()
    await page.route('**/credits', async (route) => {
      if (route.request().headers().accept !== 'application/json') return route.continue()
      const answer = await route.fetch()
      const told = await answer.json()
      const other = { ...told.replicas[0], name: 'pod-b, process 7', spent: 40, saved: 60 }
      const replicas = [...told.replicas, other]
      return route.fulfill({ response: answer, json: { ...told, replicas, isWhole: false } })
    })
    await page.goto(address)
    await page.getByText(/of 2 processes, with those that ended in the last day/).waitFor()
    await page.getByRole('row', { name: 'pod-b, process 7 40 60 60%' }).waitFor()
    await page.getByRole('alert').getByText('Redis is away').waitFor()
    expect(await graveFaults(page)).toEqual([])
  })

  it('says so when the gateway no longer answers, and keeps the last figures', async () => {
    const { page } = await chromium.openPage()
    await page.goto(address)
    await page.getByText('Over time').waitFor()
    await page.route('**/credits', (route) => route.abort())
    await page.getByRole('alert').getByText('These figures are not of now').waitFor()
    await page.getByText('Over time').waitFor()
  })
})
