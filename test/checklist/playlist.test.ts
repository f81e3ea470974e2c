import { describe, expect, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Seen } from '../support/script.ts'
import { ask, giving, pairsOf, refusal } from './ask.ts'

describe('I. playlist listings', () => {
  const list = (args: string) => `{ playlists(${args}) { nodes { name } } }`

  test('108: only two platforms have a listing', async () => {
    const { data } = await ask('{ __type(name: "PlaylistPlatform") { enumValues { name } } }')
    expect(data.__type.enumValues).toEqual([{ name: 'PLAT_B' }, { name: 'PLAT_C' }])
    expect((await ask(list('platform: PLAT_A'))).sent).toHaveLength(0)
  })

  test('109: pages are 0 to 10000 rows, asked for within the bounds of the service', async () => {
    expect((await refusal(list('platform: PLAT_B, first: 10001')))?.message).toBe(
      'first must be an integer from 0 to 10000, got 10001',
    )
    expect(await pairsOf(list('platform: PLAT_B, first: 10000'))).toEqual(
      expect.arrayContaining(['limit=10000', 'offset=0']),
    )
  })

  const at = ({ query }: Seen, name: string) => Number(query.find(([other]) => other === name)?.[1])
  const openListing = (total: number) =>
    openScripted((seen) => {
      const length = Math.max(0, Math.min(at(seen, 'limit'), total - at(seen, 'offset')))
      const rows = Array.from({ length }, (_, row) => {
        const id = at(seen, 'offset') + row
        return { id, name: `p${id}` }
      })
      return { body: { obj: rows, offset: at(seen, 'offset'), total } }
    })
  const page = (args: string) =>
    `query ${args.includes('$after') ? '($after: String)' : ''} { playlists(platform: PLAT_B, ${args}) {
      nodes { name } totalCount pageInfo { hasNextPage endCursor truncated } } }`

  test('110, 111: no request passes row 10000; rows behind it are cut off, and the page says so', async () => {
    const run = await openListing(25_000)
    const { data } = await run.query(page('last: 1'))
    expect(data.playlists).toMatchObject({
      nodes: [{ name: 'p9999' }],
      totalCount: 25_000,
      pageInfo: { hasNextPage: false, truncated: true },
    })
    const first = await run.query(page('first: 9951'))
    const { endCursor, hasNextPage } = first.data.playlists.pageInfo
    expect([first.data.playlists.nodes.length, hasNextPage]).toEqual([9951, true])
    const second = await run.query(page('first: 100, after: $after'), { after: endCursor })
    expect(second.data.playlists.nodes).toHaveLength(49)
    expect(second.data.playlists.pageInfo).toMatchObject({ hasNextPage: false, truncated: true })
    for (const seen of run.upstream.requests) {
      expect(at(seen, 'limit')).toBeGreaterThanOrEqual(1)
      expect(at(seen, 'offset') + at(seen, 'limit')).toBeLessThanOrEqual(10_000)
    }
    await run.close()
  })

  test('123: the total, and where a page stands, reach the client', async () => {
    const run = await openListing(130)
    const first = await run.query(page('first: 100'))
    expect(first.data.playlists.totalCount).toBe(130)
    const { endCursor } = first.data.playlists.pageInfo
    const second = await run.query(page('first: 100, after: $after'), { after: endCursor })
    expect(second.data.playlists.nodes.map(({ name }: { name: string }) => name)).toEqual(
      Array.from({ length: 30 }, (_, row) => `p${100 + row}`),
    )
    expect(second.data.playlists.pageInfo).toMatchObject({ hasNextPage: false, truncated: false })
    await run.close()
  })

  const COLUMNS = {
    ACTIVE_RATIO: 'active_ratio',
    LAST_UPDATED: 'last_updated',
    TRACK_COUNT: 'num_track',
    RANK: 'rank',
    FOLLOWERS: 'followers',
    MONTHLY_FOLLOWER_CHANGE: 'fdiff_month',
    MONTHLY_FOLLOWER_CHANGE_PERCENT: 'fdiff_percent_month',
    WEEKLY_FOLLOWER_CHANGE: 'fdiff_week',
    WEEKLY_FOLLOWER_CHANGE_PERCENT: 'fdiff_percent_week',
  }
  const OF = {
    PLAT_B: [
      'active_ratio',
      'fdiff_month',
      'fdiff_percent_month',
      'fdiff_percent_week',
      'fdiff_week',
      'followers',
      'last_updated',
      'num_track',
    ],
    PLAT_C: ['active_ratio', 'last_updated', 'num_track', 'rank'],
  }

  test('113, 114: platC has four orders, platB eight, and each refuses those of the other', async () => {
    for (const [platform, columns] of Object.entries(OF)) {
      const taken: string[] = []
      for (const [field, column] of Object.entries(COLUMNS)) {
        const text = list(`platform: ${platform}, orderBy: { field: ${field} }`)
        if (columns.includes(column)) {
          expect(await pairsOf(text)).toContain(`sortColumn=${column}`)
          taken.push(column)
        } else expect((await refusal(text))?.extensions.argument).toBe('orderBy')
      }
      expect(taken.sort()).toEqual(columns)
    }
    expect(
      await pairsOf(list('platform: PLAT_C, orderBy: { field: RANK, direction: ASC }')),
    ).toEqual(expect.arrayContaining(['sortColumn=rank', 'sortOrderDesc=false']))
  })

  test('115, 116, 117: defaults hold, false is sent, filters are passed on', async () => {
    expect(await pairsOf(list('platform: PLAT_B'))).toEqual(
      expect.arrayContaining(['editorial=true', 'sortOrderDesc=true']),
    )
    expect(
      await pairsOf(
        list(
          'platform: PLAT_B, filter: { editorialOnly: false, topPlaylistsOnly: true, countryCode: "GB", descriptionSearch: "a&b" }',
        ),
      ),
    ).toEqual(
      expect.arrayContaining([
        'editorial=false',
        'topPlaylist=true',
        'code2=GB',
        'descriptionSearch=a&b',
      ]),
    )
  })

  test('118: shortlist ids are sent once each', async () => {
    const pairs = await pairsOf(list('platform: PLAT_B, filter: { shortlistIds: [4, 4, 2] }'))
    expect(pairs?.filter((pair) => pair.startsWith('userListIds'))).toEqual([
      'userListIds[]=2',
      'userListIds[]=4',
    ])
  })

  test('119: curators and labels are filters of platB only', async () => {
    const filter =
      'filter: { curatorIds: ["a&b"], excludedCuratorListIds: ["c"], isIndie: false, majorCuratorsOnly: true }'
    expect(await pairsOf(list(`platform: PLAT_B, ${filter}`))).toEqual(
      expect.arrayContaining([
        'curatorIds[]=a&b',
        'excludedCuratorListIds[]=c',
        'indie=false',
        'majorCurator=true',
      ]),
    )
    for (const [argument, value] of [
      ['curatorIds', '["a"]'],
      ['excludedCuratorListIds', '["c"]'],
      ['isIndie', 'true'],
      ['majorCuratorsOnly', 'true'],
    ])
      expect(
        (await refusal(list(`platform: PLAT_C, filter: { ${argument}: ${value} }`)))?.extensions
          .argument,
      ).toBe(argument)
  })

  test('120, 121, 122: followers are exact, codes may be null, changes keep sign and fraction', async () => {
    const { data } = await ask(
      '{ playlists(platform: PLAT_B) { nodes { followers countryCode genres weeklyFollowerChange weeklyFollowerChangePercent activeRatio } } }',
      giving({
        obj: [
          {
            id: 1,
            followers: 4999999999999,
            code2: null,
            genre: 'pop, rock',
            fdiff_week: -12,
            fdiff_percent_week: -0.25,
            active_ratio: 0.125,
          },
        ],
        offset: 0,
        total: 1,
      }),
    )
    expect(data.playlists.nodes).toEqual([
      {
        followers: 4999999999999,
        countryCode: null,
        genres: ['pop', 'rock'],
        weeklyFollowerChange: -12,
        weeklyFollowerChangePercent: -0.25,
        activeRatio: 0.125,
      },
    ])
  })
})
