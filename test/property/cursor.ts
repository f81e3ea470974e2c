import * as fc from 'fast-check'
import { openRun } from '../support/run.ts'
import type { Effort } from './effort.ts'

/** Listings of every way to end, small enough that no cursor costs much. */
const LISTINGS = [
  ['playlists', 'playlists(platform: PLAT_B, first: 2'],
  ['venues', 'venues(first: 2'],
  ['festivals', 'festivals(first: 2'],
  ['radioStations', 'radioStations(first: 2'],
  ['artistsByStat', 'artistsByStat(stat: RANK, min: 0, max: 100, first: 2'],
  ['suggestions', 'suggestions(query: "river", first: 2'],
] as const

const page = 'edges { cursor } pageInfo { hasNextPage endCursor } totalCount'

/** Texts as they come, and texts that nearly are cursors: a real one with its numbers or one of its characters changed. */
const cursorsLike = (real: string): fc.Arbitrary<string> => {
  const [fingerprint = ''] = Buffer.from(real, 'base64url').toString().split('.')
  const number = fc.oneof(
    fc.integer({ min: -1, max: 500 }),
    fc.constantFrom(9_999, 10_000, 999_999_999, 2 ** 31, 1e21, 0.5),
  )
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('', real, ` ${real}`, `${real}=`, `${real}\n`, real.toUpperCase()),
    fc
      .tuple(number, number)
      .map((at) => Buffer.from([fingerprint, ...at].join('.')).toString('base64url')),
    fc
      .tuple(fc.nat(real.length - 1), fc.string({ minLength: 1, maxLength: 2 }))
      .map(([at, text]) => real.slice(0, at) + text + real.slice(at + 1)),
  )
}

/** Any text as a cursor is refused before anything is sent, or gives a page. */
export const cursorsAreRefusedOrPage = async (effort: Effort): Promise<void> => {
  const { query, meter, close } = await openRun()
  try {
    for (const [name, start] of LISTINGS) {
      const { data } = await query(`{ ${start}) { ${page} } }`)
      const real: string = data[name].pageInfo.endCursor
      const next = `query ($after: String) { ${start}, after: $after) { ${page} } }`
      await fc.assert(
        fc.asyncProperty(cursorsLike(real), async (after) => {
          const before = meter.requests.length
          const { data, errors } = await query(next, { after })
          const [error] = errors
          if (error === undefined) {
            if (data[name].edges.length > 2) throw new Error('a page larger than asked')
            return
          }
          const { code, argument } = error.extensions
          if (errors.length > 1 || code !== 'BAD_USER_INPUT' || argument !== 'after')
            throw new Error(JSON.stringify(errors))
          if (meter.requests.length > before) throw new Error('a refusal was paid for')
        }),
        effort,
      )
    }
  } finally {
    await close()
  }
}
