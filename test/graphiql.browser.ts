import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openChromium } from './support/chromium.ts'
import { startGateway } from './support/process.ts'

const TABS = [
  'ChartWithArtists',
  'ArtistPage',
  'SearchByName',
  'PlaylistsPageByPage',
  'WhatItCosts',
]

const posted = (page: Page, text: string) =>
  page.waitForResponse((answer) => answer.request().postData()?.includes(text) ?? false)

const open = async (page: Page, url: string) => {
  const introspected = posted(page, 'IntrospectionQuery')
  await page.goto(`${url}/graphql`)
  await introspected
  await page.locator('.graphiql-query-editor').getByText('ChartWithArtists').first().waitFor()
}

/** Runs what a tab holds, as a person would, and gives what the gateway answered. */
const run = async (page: Page, tab: string) => {
  await page.getByRole('tab', { name: tab }).click()
  await page.locator('.graphiql-query-editor').getByText(tab).first().waitFor()
  const answered = posted(page, `query ${tab}`)
  for (;;) {
    await page.click('.graphiql-execute-button')
    const answer = await Promise.race([answered, page.waitForTimeout(2000)])
    // Pressed within a moment of the change, GraphiQL still looks for the operation of the tab before.
    if (answer !== undefined) return answer.json()
  }
}

describe('the explorer in a browser without network', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>
  let chromium: Awaited<ReturnType<typeof openChromium>>
  beforeAll(async () => {
    mkdirSync('.out', { recursive: true })
    chromium = await openChromium()
    gateway = await startGateway()
  }, 60_000)
  afterEach(() => chromium.closePages())
  afterAll(async () => {
    await chromium?.close()
    await gateway?.stop()
  })

  it('asks no other host for anything and breaks no rule of its own policy', async () => {
    const { page, wanted, faults } = await chromium.openPage()
    await open(page, gateway.url)
    await run(page, 'WhatItCosts')
    expect(wanted).toEqual([])
    expect(faults).toEqual([])
  })

  it('would be caught if it did', async () => {
    const { page, wanted, faults } = await chromium.openPage()
    await open(page, gateway.url)
    await page.addScriptTag({ url: 'http://192.0.2.1/a.js' }).catch(() => undefined)
    await expect.poll(() => faults.join()).toContain('192.0.2.1')
    await page.goto('http://192.0.2.1/').catch(() => undefined)
    expect(wanted).toContain('http://192.0.2.1/')
  })

  it('opens with an example for each theme', async () => {
    const { page } = await chromium.openPage()
    await open(page, gateway.url)
    expect(await page.locator('.graphiql-tab').allInnerTexts()).toEqual(TABS)
    expect(await page.locator('.graphiql-query-editor').textContent()).toContain('sandbox')
  })

  it.each(TABS)('runs the example %s without an error', async (tab) => {
    const { page } = await chromium.openPage()
    await open(page, gateway.url)
    const { data, errors, extensions } = await run(page, tab)
    expect(errors).toBeUndefined()
    for (const answer of Object.values(data)) expect(answer).not.toBeNull()
    expect(extensions.credits.spent).toEqual(expect.any(Number))
  })

  it('shows data and what it cost', async () => {
    const { page } = await chromium.openPage()
    await open(page, gateway.url)
    await run(page, 'WhatItCosts')
    const shown = page.locator('.graphiql-response')
    await shown.getByText('"savedBy"').first().waitFor()
    expect(await shown.textContent()).toMatch(/"data".*"sameAgain".*"credits".*"spent"/s)
    await page.screenshot({ path: '.out/graphiql.png' })
  })

  it('comes back with what was written when the page is loaded again', async () => {
    const { page } = await chromium.openPage()
    await open(page, gateway.url)
    await page.locator('.graphiql-query-editor .view-line').first().click()
    await page.keyboard.type('# mine ')
    await page.waitForURL(/mine/)
    await page.reload()
    await page.locator('.graphiql-query-editor').getByText('mine').first().waitFor()
  })

  it('costs nothing when it is run again', async () => {
    const { page } = await chromium.openPage()
    await open(page, gateway.url)
    await run(page, 'ArtistPage')
    const { extensions } = await run(page, 'ArtistPage')
    expect(extensions.credits).toMatchObject({ spent: 0, savedBy: { cache: 2 } })
  })
})
