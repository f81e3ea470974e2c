import { expect, test } from 'vitest'
import { openRun } from '../support/run.ts'

export interface ListingCase {
  /** Path of the connection in the answer. */
  readonly path: string
  /** The field, with PAGE where Relay's arguments go; nested ones are written whole. */
  readonly query: string
  /** What tells one node from another; nothing where a node is JSON, and is told by all it has. */
  readonly id: string
  /** Width of the windows that the contract names; the last one is for second pages. */
  readonly widths: readonly number[]
  readonly end: 'total' | 'short' | 'empty' | 'whole'
}

const SIZES = [1, 7, 50, 200]
const ROWS = 230
type Run = Awaited<ReturnType<typeof openRun>>

const pageOf = async ({ query }: Run, listing: ListingCase, args: string) => {
  const node = listing.id && `{ ${listing.id} }`
  const text = listing.query.replace(
    'PAGE',
    `${args}) { edges { cursor node ${node} } nodes ${node} totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor truncated } }`,
  )
  const { data, errors } = await query(text)
  return {
    errors,
    page: listing.path.split('.').reduce((value, key) => value?.[key], data),
  }
}

const walk = async (run: Run, listing: ListingCase, size: number) => {
  const seen: string[] = []
  let after = ''
  for (let turn = 0; turn <= ROWS; turn++) {
    const { page, errors } = await pageOf(run, listing, `first: ${size}${after}`)
    expect(errors).toEqual([])
    expect(page.nodes).toEqual(page.edges.map(({ node }: { node: unknown }) => node))
    expect(page.nodes.length).toBeLessThanOrEqual(size)
    expect(page.pageInfo.hasPreviousPage).toBe(seen.length > 0)
    expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor ?? null)
    seen.push(...page.nodes.map((node: unknown) => JSON.stringify(node)))
    if (!page.pageInfo.hasNextPage || seen.length >= ROWS) return seen
    expect(page.pageInfo.endCursor, 'a next page begins behind a row').not.toBeNull()
    after = `, after: "${page.pageInfo.endCursor}"`
  }
  return seen
}

const offsetsOf = ({ meter }: Run) =>
  meter.requests.map(({ path }) => {
    const { searchParams } = new URL(path, 'http://sandbox')
    const number = (name: string) =>
      searchParams.has(name) ? Number(searchParams.get(name)) : undefined
    return { offset: number('offset'), limit: number('limit') }
  })

/** What every listing keeps: order, no gap, no repeat, aligned windows, and nothing that the service refuses. */
export const pagingContract = (listing: ListingCase): void => {
  test('pages of any size give the same rows in the same order', async () => {
    const whole = await openRun()
    const reference = await walk(whole, listing, 1000)
    await whole.close()
    expect(reference.length).toBeGreaterThan(0)
    expect(new Set(reference).size).toBe(reference.length)
    for (const size of SIZES) {
      const run = await openRun()
      const seen = await walk(run, listing, size)
      await run.close()
      expect(seen.slice(0, ROWS)).toEqual(reference.slice(0, seen.length).slice(0, ROWS))
      expect(seen.length).toBeGreaterThanOrEqual(Math.min(ROWS, reference.length))
      expect(run.meter.requests.map(({ status }) => status)).toEqual(
        run.meter.requests.map(() => 200),
      )
      const asked = offsetsOf(run)
      expect(new Set(asked.map((window) => JSON.stringify(window))).size).toBe(asked.length)
      for (const { offset, limit } of asked) {
        if (listing.widths.length > 0) expect(listing.widths).toContain(limit)
        if (listing.end !== 'empty' && limit !== undefined) expect((offset ?? 0) % limit).toBe(0)
      }
    }
  }, 60_000)

  test('the total is told where the service tells it, and only there', async () => {
    const run = await openRun()
    const { page } = await pageOf(run, listing, 'first: 5')
    await run.close()
    const known = listing.end === 'total' || listing.end === 'whole'
    expect(page.totalCount === null).toBe(!known)
  })

  test('a page of no rows goes on from where it stands', async () => {
    const run = await openRun()
    const { page } = await pageOf(run, listing, 'first: 2')
    const { page: start } = await pageOf(run, listing, 'first: 0')
    expect(start.pageInfo).toMatchObject({ startCursor: null, endCursor: null })
    const [first, second] = page.edges.map(({ cursor }: { cursor: string }) => cursor)
    const { page: none } = await pageOf(run, listing, `first: 0, after: "${first}"`)
    expect(none.nodes).toEqual([])
    expect(none.pageInfo).toMatchObject({ hasNextPage: true, startCursor: null, endCursor: first })
    if (listing.end === 'total' || listing.end === 'whole') {
      const { page: back } = await pageOf(run, listing, `last: 0, before: "${second}"`)
      expect(back.nodes).toEqual([])
      const { hasPreviousPage, startCursor, endCursor } = back.pageInfo
      expect([hasPreviousPage, startCursor, endCursor]).toEqual([true, second, first])
    }
    await run.close()
  })

  test('pages that cannot be are refused before anything is sent', async () => {
    const run = await openRun()
    const long = 'x'.repeat(90)
    const size = 'first must be an integer from 0 to 10000, got '
    const place = 'after must be a cursor of this listing with the same arguments, got '
    for (const [args, message] of [
      ['first: -1', `${size}-1`],
      ['first: 10001', `${size}10001`],
      ['first: 5, after: "bm9uc2Vuc2U"', `${place}"bm9uc2Vuc2U"`],
      ['first: 5, after: "\\n"', `${place}"\\n"`],
      [`first: 5, after: "${long}"`, `${place}"${long.slice(0, 60)}…"`],
    ] as const) {
      const { errors } = await pageOf(run, listing, args)
      const code = 'BAD_USER_INPUT'
      expect(errors[0]).toMatchObject({ message, extensions: { code } })
    }
    expect(run.meter.requests).toHaveLength(0)
    await run.close()
  })

  if (listing.end === 'total' || listing.end === 'whole')
    test('the last rows are found from the end, and those before a cursor', async () => {
      const run = await openRun()
      const { page } = await pageOf(run, listing, 'last: 3')
      expect(page.nodes).toHaveLength(3)
      expect(page.pageInfo.hasPreviousPage).toBe(true)
      const cap = Math.min(page.totalCount, listing.end === 'total' ? 100_000 : page.totalCount)
      expect(page.pageInfo.hasNextPage).toBe(false)
      const before = `before: "${page.pageInfo.startCursor}"`
      const { page: earlier } = await pageOf(run, listing, `last: 2, ${before}`)
      expect(earlier.nodes).toHaveLength(2)
      expect(earlier.pageInfo.hasNextPage).toBe(true)
      const { page: again } = await pageOf(
        run,
        listing,
        `first: 5, after: "${earlier.pageInfo.endCursor}"`,
      )
      expect(again.nodes).toEqual(page.nodes)
      expect(cap).toBeGreaterThan(5)
      await run.close()
    })

  if (listing.end === 'total' || listing.end === 'whole')
    test('pages from the end give the same rows in the same order, down to the first', async () => {
      for (const size of SIZES.filter((one) => one > 1)) {
        const run = await openRun()
        const { page: whole } = await pageOf(run, listing, `last: ${ROWS}`)
        const seen: unknown[] = []
        let before = ''
        while (seen.length < whole.nodes.length) {
          const { page, errors } = await pageOf(run, listing, `last: ${size}${before}`)
          expect(errors).toEqual([])
          expect(page.pageInfo.hasNextPage).toBe(seen.length > 0)
          seen.unshift(...page.nodes)
          expect(page.pageInfo.hasPreviousPage).toBe(seen.length < page.totalCount)
          before = `, before: "${page.pageInfo.startCursor}"`
        }
        expect(seen.slice(-whole.nodes.length)).toEqual(whole.nodes)
        expect(run.meter.requests.map(({ status }) => status)).toEqual(
          run.meter.requests.map(() => 200),
        )
        for (const { offset, limit } of offsetsOf(run))
          if (limit !== undefined) expect((offset ?? 0) % limit).toBe(0)
        await run.close()
      }
    }, 60_000)
}
