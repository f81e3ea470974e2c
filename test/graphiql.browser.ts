import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { graveFaults, openChromium, overhang } from './support/chromium.ts'
import { startGateway } from './support/process.ts'

const TABS = [
  'ChartWithArtists',
  'ArtistPage',
  'SearchByName',
  'PlaylistsPageByPage',
  'WhatItCosts',
]

/** The answer to an operation that ran; the panel's questions for a price are none. */
const posted = (page: Page, text: string) =>
  page.waitForResponse((answer) => {
    const request = answer.request()
    const isPrice = request.headers()['x-credits-plan'] === 'only'
    return !isPrice && (request.postData()?.includes(text) ?? false)
  })

const open = async (page: Page, url: string) => {
  const introspected = posted(page, 'IntrospectionQuery')
  await page.goto(`${url}/graphql`)
  await introspected
  await page.locator('.graphiql-query-editor').getByText('ChartWithArtists').first().waitFor()
}

/** Runs what a tab holds, as a person would, and gives what the gateway answered. */
const run = async (page: Page, tab: string) => {
  await page.getByRole('button', { name: tab, exact: true }).click()
  await page.locator('.graphiql-query-editor').getByText(tab).first().waitFor()
  let answered = posted(page, `query ${tab}`)
  for (;;) {
    await page.click('.graphiql-execute-button')
    const answer = await Promise.race([answered, page.waitForTimeout(2000)])
    // Pressed within a moment of the change, GraphiQL still looks, or asks, for the operation of the tab before.
    if (answer === undefined) continue
    const told = await answer.json()
    const [error] = told.errors ?? []
    const isEarly = error?.extensions.argument === 'operationName'
    // A machine that is busy with other tests strains the gateway too: it says when to come again.
    if (!isEarly && error?.extensions.code !== 'OVERLOADED') return told
    answered = posted(page, `query ${tab}`)
    await page.waitForTimeout(1000 * (error.extensions.retryAfter ?? 1))
  }
}

/** The rows of a table below its head, cells parted by tabs; requests of one run come in any order. */
const rowsOf = async (table: Locator) =>
  (await table.getByRole('row').allInnerTexts()).slice(1).sort()

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

  it('opens what a shared address says, and keeps the address of what is looked at', async () => {
    const { page } = await chromium.openPage()
    const shared = new URLSearchParams({
      query: 'query Shared($id: Int!) { artist(cmId: $id) { name } }',
      variables: '{ "id": 7 }',
    })
    await page.goto(`${gateway.url}/graphql?${shared}`)
    await page.locator('.graphiql-query-editor').getByText('Shared').first().waitFor()
    const { data } = await run(page, 'Shared')
    expect(data.artist.name).toEqual(expect.any(String))
    await page.getByRole('button', { name: 'WhatItCosts', exact: true }).click()
    await page.waitForURL(/query\+WhatItCosts/)
    expect(page.url()).not.toContain('variables=')
  })

  it('tells the price of what is written without spending, and after a run what it did', async () => {
    const { page } = await chromium.openPage()
    await open(page, gateway.url)
    const price = page.getByRole('region', { name: 'This operation' })
    const receipt = page.getByRole('region', { name: 'Last run' })
    expect(await receipt.textContent()).toContain('Nothing has been run yet.')
    await page.getByRole('button', { name: 'New tab' }).click()
    await price.getByText('Write an operation.').waitFor()
    await page.locator('.graphiql-query-editor .view-line').first().click()
    await page.keyboard.insertText(
      'query Mine { artist(cmId: 77) { rank } venues { nodes { venueType } } }',
    )
    await price.getByText('min2likely2max2').waitFor()
    await price.getByText('None of its requests is held.').waitFor()
    const { extensions } = await run(page, 'Mine')
    expect(extensions.credits.spent).toBe(2)
    await receipt.getByText('2 spent, 0 saved').waitFor()
    const requests = receipt.getByRole('table', { name: 'Requests by endpoint' })
    expect(await rowsOf(requests)).toEqual(['artist\tsent\t1', 'venues\tsent\t1'])
    await price.getByText('min0likely0max0').waitFor()
    await price.getByText('All that is certain is held and costs nothing.').waitFor()
    await run(page, 'Mine')
    const savings = receipt.getByRole('table', { name: 'Saved by' })
    await savings.waitFor()
    expect(await rowsOf(savings)).toEqual(['cache\tthe answer was held\t2'])
  })

  it('tells who needs a key where to write it, and has the schema once it is there', async () => {
    const { page } = await chromium.openPage()
    const refusal = { message: 'no client is known', extensions: { code: 'UNAUTHENTICATED' } }
    const creditPlan = { min: 7, likely: 7, max: 7, calls: [] }
    await page.route('**/graphql', (route) => {
      const headers = route.request().headers()
      if (headers['x-api-key'] !== 'mine' && route.request().method() === 'POST')
        return route.fulfill({ status: 401, json: { errors: [refusal] } })
      return headers['x-credits-plan'] === 'only'
        ? route.fulfill({ json: { data: null, extensions: { creditPlan } } })
        : route.continue()
    })
    await open(page, gateway.url)
    const price = page.getByRole('region', { name: 'This operation' })
    await price.getByText('written under Headers').waitFor()
    const introspected = page.waitForRequest(
      (request) =>
        request.postData()?.includes('IntrospectionQuery') === true &&
        request.headers()['x-api-key'] === 'mine',
    )
    await page.getByRole('button', { name: 'Headers', exact: true }).click()
    await page.locator('.graphiql-editor-tool:not(.hidden) .view-lines').last().click()
    await page.keyboard.insertText('{ "X-Api-Key": "mine" }')
    await price.getByText('min7likely7max7').waitFor()
    await introspected
  })

  it('asks for the schema again where the gateway was under strain', async () => {
    const { page } = await chromium.openPage()
    const strain = { message: 'too much', extensions: { code: 'OVERLOADED', retryAfter: 1 } }
    let refused = 0
    await page.route('**/graphql', (route) => {
      const isSchema = route.request().postData()?.includes('IntrospectionQuery') === true
      if (!isSchema || refused === 2) return route.continue()
      refused += 1
      return route.fulfill({ status: 503, json: { errors: [strain] } })
    })
    await open(page, gateway.url)
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByRole('link', { name: 'Query' }).first().waitFor()
    expect(refused).toBe(2)
  })

  it('tells which parts are past their freshness, how old and why', async () => {
    const { page } = await chromium.openPage()
    await open(page, gateway.url)
    await page.route('**/graphql', (route) =>
      route.fulfill({
        json: {
          data: { artist: null },
          extensions: {
            credits: {
              spent: 0,
              saved: 1,
              savedBy: { hydrated: 0, window: 0, batched: 0, cache: 1, merged: 0 },
              stale: [{ path: ['artist'], age: 4012, reason: 'RATE_LIMITED' }],
            },
          },
        },
      }),
    )
    await page.click('.graphiql-execute-button')
    const stale = page.getByRole('table', { name: 'Past their freshness' })
    await stale.waitFor()
    expect(await rowsOf(stale)).toEqual(['artist\t1 h\tRATE_LIMITED'])
  })

  it('keeps examples by theme; one opens in a tab of its own and is priced', async () => {
    const { page } = await chromium.openPage()
    await open(page, gateway.url)
    await page.getByRole('button', { name: 'Show Examples' }).click()
    const shelf = page.getByRole('region', { name: 'Examples' })
    expect(await shelf.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'First steps',
      'Artists',
      'Tracks and albums',
      'Charts',
      'Playlists and streams',
      'Live',
      'Premium',
    ])
    const costs = (title: string) =>
      shelf.locator('li', { hasText: title }).getByText('on the sandbox.').textContent()
    expect(await costs('Compare the same chart in two countries')).toMatch(
      /\b2 credits on the sandbox\.$/,
    )
    expect(await costs('Show venues with their events')).toMatch(
      /\b101 credits or so on the sandbox\.$/,
    )
    await shelf.getByRole('button', { name: 'List festivals of a country by size' }).click()
    await page.getByRole('button', { name: 'Festivals', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show Credits' }).click()
    await page
      .getByRole('region', { name: 'This operation' })
      .getByText('festivals')
      .first()
      .waitFor()
    expect((await run(page, 'Festivals')).extensions.credits.spent).toBe(1)
  })

  it.each([390, 820])('has its parts below each other in a window of %s pixels', async (width) => {
    const { page } = await chromium.openPage()
    await page.setViewportSize({ width, height: 844 })
    await open(page, gateway.url)
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox()
      if (box === null) throw new Error(`${selector} is not shown`)
      return box
    }
    const [editor, answer] = [await boxOf('.graphiql-editors'), await boxOf('.graphiql-response')]
    expect(answer.y).toBeGreaterThanOrEqual(editor.y + editor.height)
    for (const { x, width: own, height } of [editor, answer]) {
      expect(Math.min(own, height)).toBeGreaterThan(250)
      expect(x + own).toBeLessThanOrEqual(width)
    }
    expect(await overhang(page)).toBe(0)
    expect(await graveFaults(page)).toEqual([])
  })

  it('tells units in its documentation', async () => {
    const { page } = await chromium.openPage()
    await open(page, gateway.url)
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByRole('combobox').click()
    await page.keyboard.type('lowPrice')
    await page.getByRole('option', { name: 'LiveEvent.lowPrice' }).click()
    await page.getByText('Lowest price, in currency.').waitFor()
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    it.each(['Credits', 'Examples', 'Documentation Explorer'])(
      'shows %s, and axe finds nothing serious',
      async (panel) => {
        const { page } = await chromium.openPage()
        await page.emulateMedia({ colorScheme })
        await open(page, gateway.url)
        await run(page, 'ArtistPage')
        await page.getByText(/\d+ spent, \d+ saved/).waitFor()
        if (panel !== 'Credits') await page.getByRole('button', { name: `Show ${panel}` }).click()
        if (panel.startsWith('Doc')) await page.getByRole('link', { name: 'Query' }).first().click()
        await page.locator('.graphiql-response').getByText('"data"').first().waitFor()
        await page.screenshot({ path: `.out/graphiql-${panel.split(' ')[0]}-${colorScheme}.png` })
        expect(await graveFaults(page)).toEqual([])
      },
    )
  })
})
