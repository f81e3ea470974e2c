import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ask } from '../credits/ask.ts'
import { openScripted } from '../support/gateway.ts'
import { nextMoment } from '../support/moment.ts'
import type { Seen } from '../support/script.ts'

/** Which of the rows that a service counts it leaves out of its pages, after it has cut them. */
type LeftOut = (row: number) => boolean

const PATTERNS: Record<string, LeftOut> = {
  'every third row': (row) => row % 3 === 1,
  'the second half of the first hundred': (row) => row >= 50 && row < 100,
  'the end of each hundred': (row) => row % 100 >= 93,
  'a whole hundred': (row) => row >= 100 && row < 200,
  'the first hundred and the last': (row) => row < 100 || row >= 1_140,
}

const TOTAL = 1_240
const SIZES = [50, 200]

const PAGE = 'edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'

const LISTINGS = {
  tracksByStat: {
    field: (page: string) => `tracksByStat(${page}) { nodes { track { cmId } } ${PAGE} }`,
    row: (at: number) => ({ cm_track: at }),
    seal: (rows: unknown[], offset: number, total = TOTAL) => ({ obj: rows, offset, total }),
    idOf: (node: { track: { cmId: number } }) => node.track.cmId,
  },
  'artist.tracks': {
    field: (page: string) =>
      `artist(cmId: 5) { tracks(${page}) { nodes { track { cmId } } ${PAGE} } }`,
    row: (at: number) => ({ cm_track: at, artist: [{ id: 5, name: 'Otter Lake' }] }),
    seal: (rows: unknown[], offset: number, total = TOTAL) => ({ obj: rows, offset, total }),
    idOf: (node: { track: { cmId: number } }) => node.track.cmId,
  },
  playlists: {
    field: (page: string) => `playlists(platform: PLAT_B, ${page}) { nodes { cmId } ${PAGE} }`,
    row: (at: number) => ({ id: at, name: 'Slow Evenings' }),
    seal: (rows: unknown[], offset: number, total = TOTAL) => ({ obj: rows, offset, total }),
    idOf: (node: { cmId: string }) => Number(node.cmId),
  },
  venues: {
    field: (page: string) => `venues(${page}) { nodes { venue { cmId } } ${PAGE} }`,
    row: (at: number) => ({ id: at, name: 'Harrow Dock Hall' }),
    seal: (rows: unknown[], _offset: number, total = TOTAL) => ({ obj: { data: rows, total } }),
    idOf: (node: { venue: { cmId: string } }) => Number(node.venue.cmId),
  },
}

const numberOf = ({ query }: Seen, name: string) =>
  Number(query.find(([key]) => key === name)?.[1] ?? 0)

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)

interface Read {
  readonly ids: readonly number[]
  readonly cursors: readonly string[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}
type Reading = (page: string) => Promise<Read>

/** Reads pages until there are so many rows, or no more; each may have fewer than it was asked for. */
const readOn = async (read: Reading, size: number, isLast: boolean, from = '', until = '') => {
  const ids: number[] = []
  const cursors: string[] = []
  let place = from
  for (let pages = 1; ; pages++) {
    expect(pages).toBeLessThan(40)
    const page = await read(`${isLast ? 'last' : 'first'}: ${size - ids.length}${place}${until}`)
    expect(page.ids.length).toBeLessThanOrEqual(size - ids.length)
    if (isLast) {
      ids.unshift(...page.ids)
      cursors.unshift(...page.cursors)
    } else {
      ids.push(...page.ids)
      cursors.push(...page.cursors)
    }
    const cursor = isLast ? page.startCursor : page.endCursor
    const isOver = !(isLast ? page.hasPreviousPage : page.hasNextPage) || cursor === null
    if (ids.length === size || isOver) return { ids, cursors, cursor, isOver }
    place = isLast ? `, before: "${cursor}"` : `, after: "${cursor}"`
  }
}

describe.each(Object.entries(LISTINGS))('%s', (name, listing) => {
  const open = async (leftOut: LeftOut, headers: Record<string, string> = {}) => {
    const run = await openScripted((seen) => {
      const offset = numberOf(seen, 'offset')
      const places = range(offset, Math.min(TOTAL, offset + numberOf(seen, 'limit')))
      const rows = places.filter((at) => !leftOut(at)).map((at): object => listing.row(at))
      return { body: listing.seal(rows, offset) }
    })
    onTestFinished(() => run.close())
    /** A page; what it spent lies within its price, whatever is left out. */
    const read = async (page: string): Promise<Read> => {
      const { data, errors, credits, plan } = await ask(run, `{ ${listing.field(page)} }`, {
        headers: { ...headers, 'x-credits-plan': 'report' },
      })
      expect(errors).toEqual([])
      expect(credits.spent).toBeGreaterThanOrEqual(plan.min)
      expect(credits.spent).toBeLessThanOrEqual(plan.max)
      const { nodes, edges, pageInfo } = name.split('.').reduce((value, key) => value[key], data)
      return {
        ids: nodes.map(listing.idOf),
        cursors: edges.map(({ cursor }: { cursor: string }) => cursor),
        ...pageInfo,
      }
    }
    return { read, requests: run.upstream.requests }
  }
  const kept = (leftOut: LeftOut) => range(0, TOTAL).filter((at) => !leftOut(at))

  test.each(Object.entries(PATTERNS))(
    'gives every other row once, in order, both ways, where the service leaves out %s, and no page costs more than its price',
    async (_, leftOut) => {
      const all = kept(leftOut)
      for (const size of SIZES) {
        const { read } = await open(leftOut)
        let page = await readOn(read, size, false)
        const seen = [...page.ids]
        while (!page.isOver) {
          page = await readOn(read, size, false, `, after: "${page.cursor}"`)
          seen.push(...page.ids)
        }
        expect(seen).toEqual(all)
      }
      for (const size of SIZES) {
        const { read } = await open(leftOut)
        let page = await readOn(read, size, true)
        const seen = [...page.ids]
        while (!page.isOver) {
          page = await readOn(read, size, true, `, before: "${page.cursor}"`)
          seen.unshift(...page.ids)
        }
        expect(seen).toEqual(all)
      }
    },
    60_000,
  )

  test('asks behind a short window for what begins at offset + limit, up to the total', async () => {
    const { read, requests } = await open((row) => row % 100 >= 93)
    await readOn(read, 100, false)
    await read(`last: 50, before: "${(await read('last: 50')).cursors[0]}"`)
    const windows = requests.map((seen) => [numberOf(seen, 'offset'), numberOf(seen, 'limit')])
    expect(windows.slice(0, 2)).toEqual([
      [0, 100],
      [100, 100],
    ])
    for (const [offset = 0, limit = 1] of windows) expect(offset % limit).toBe(0)
    expect(new Set(windows.map(String)).size).toBe(windows.length)
  })

  /** A service that has no row at or behind a place, whatever total it tells; both may change while it is asked. */
  const openEnding = async (end: () => number, total = end) => {
    const run = await openScripted((seen) => {
      const offset = numberOf(seen, 'offset')
      const places = range(offset, Math.min(end(), offset + numberOf(seen, 'limit')))
      return {
        body: listing.seal(
          places.map((at): object => listing.row(at)),
          offset,
          total(),
        ),
      }
    })
    onTestFinished(() => run.close())
    const read = async (page: string, headers: Record<string, string> = {}) => {
      await nextMoment()
      const { data, errors } = await run.query(`{ ${listing.field(page)} }`, {}, headers)
      expect(errors).toEqual([])
      return name.split('.').reduce((value, key) => value[key], data)
    }
    return { read, requests: run.upstream.requests }
  }

  test('that has become shorter is read from its new end, without looking for it', async () => {
    let total = TOTAL
    const { read, requests } = await openEnding(() => total)
    const fresh = { 'cache-control': 'no-cache' }
    const [{ cursor }] = (await read('last: 7', fresh)).edges
    total = 150
    requests.length = 0
    const { nodes, pageInfo } = await read(`last: 3, before: "${cursor}"`, fresh)
    expect([nodes, pageInfo.hasPreviousPage]).toEqual([[], true])
    const next = await read(`last: 3, before: "${pageInfo.startCursor}"`, fresh)
    expect(next.nodes.map(listing.idOf)).toEqual([147, 148, 149])
    expect(requests).toHaveLength(2)
  })

  test('whose total nobody can read has no last rows, and says so; the first are there', async () => {
    for (const total of [null, -1, 1e30]) {
      const run = await openScripted(() => ({
        body: listing.seal(
          range(0, 100).map((at): object => listing.row(at)),
          0,
          total as number,
        ),
      }))
      onTestFinished(() => run.close())
      const read = async (page: string) => {
        const { data, errors } = await run.query(`{ ${listing.field(page)} }`)
        const codes = errors.map(({ extensions }) => extensions.code)
        return { page: name.split('.').reduce((value, key) => value?.[key], data), codes }
      }
      expect(await read('last: 5')).toEqual({ page: null, codes: ['UPSTREAM_BAD_RESPONSE'] })
      expect((await read('last: 0')).codes).toEqual([])
      const { page, codes } = await read('first: 50')
      expect([page.nodes.map(listing.idOf), codes]).toEqual([range(0, 50), []])
    }
  })

  test('whose total counts what is not there ends after ten windows without a row', async () => {
    const { read, requests } = await openEnding(
      () => 150,
      () => 9_000,
    )
    const reading = async (page: string): Promise<Read> => {
      const { nodes, edges, pageInfo } = await read(page)
      const cursors = edges.map(({ cursor }: { cursor: string }) => cursor)
      return { ids: nodes.map(listing.idOf), cursors, ...pageInfo }
    }
    const { ids, isOver } = await readOn(reading, 200, false)
    expect([ids, isOver]).toEqual([range(0, 150), true])
    const last = await readOn(reading, 10, true)
    expect([[], range(140, 150)]).toContainEqual(last.ids)
    expect(requests.length).toBeLessThanOrEqual(24)
  })

  test('has no gap and no repeat behind or before any cursor, whatever is left out', async () => {
    const gap = fc.tuple(fc.nat(TOTAL), fc.integer({ min: 1, max: 150 }))
    const size = fc.constantFrom(1, 7, 50, 93, 200, 1_000)
    const cursor = fc.option(fc.nat(9_999), { nil: undefined })
    const step = fc.record({ size, isLast: fc.boolean(), after: cursor, before: cursor })
    await fc.assert(
      fc.asyncProperty(
        fc.array(gap, { maxLength: 6 }),
        fc.array(step, { minLength: 3, maxLength: 9 }),
        fc.boolean(),
        async (gaps, steps, isFresh) => {
          const leftOut: LeftOut = (at) =>
            gaps.some(([from, count]) => at >= from && at < from + count)
          const all = kept(leftOut)
          const { read } = await open(leftOut, isFresh ? { 'cache-control': 'no-cache' } : {})
          const known: { readonly id: number; readonly cursor: string }[] = []
          const pick = (which: number | undefined) =>
            which === undefined ? undefined : known[which % Math.max(1, known.length)]
          for (const { size, isLast, ...bounds } of steps) {
            const [after, before] = [pick(bounds.after), pick(bounds.before)]
            const behind = after === undefined ? '' : `, after: "${after.cursor}"`
            const ahead = before === undefined ? '' : `, before: "${before.cursor}"`
            const [from, until] = isLast ? [ahead, behind] : [behind, ahead]
            const { ids, cursors } = await readOn(read, size, isLast, from, until)
            const wanted = all.filter((id) => id > (after?.id ?? -1) && id < (before?.id ?? TOTAL))
            expect(ids).toEqual(
              isLast ? wanted.slice(Math.max(0, wanted.length - size)) : wanted.slice(0, size),
            )
            for (const [at, id] of ids.entries()) known.push({ id, cursor: cursors[at] ?? '' })
          }
        },
      ),
      { numRuns: 25, seed: 20_260_310 },
    )
  }, 120_000)
})
