import { afterEach, describe, expect, it } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import { FESTIVAL as PLAIN, RADIO_STATION } from '../support/wire-row.ts'

const FESTIVAL = {
  ...PLAIN,
  numberOfDays: '3',
  popularityRank: null,
  links: {
    platQ: 'https://platq.example.invalid/f/450',
    platR: null,
    platS: 'javascript:alert(1)',
  },
}
const STATION = { ...RADIO_STATION, platM_followers: 3_000_000_000 }

let opened: Awaited<ReturnType<typeof openScripted>> | undefined
afterEach(async () => opened?.close())
const run = async () => {
  opened = await openScripted(({ path }) => ({
    body: {
      obj:
        path === '/api/festival/list'
          ? [FESTIVAL]
          : Array.from({ length: 30 }, (_, i) => ({ ...STATION, id: 31 + i })),
    },
  }))
  return opened
}

describe('festivals', () => {
  it('are filtered and ordered as asked, and told as the row has them', async () => {
    const { query, upstream } = await run()
    const { data, errors, credits } = await query(
      `{ festivals(
          filter: { countryCodes: ["gb", "US"], genreIds: [12], eventSizes: [MEDIUM, MEGA], name: "salt" }
          orderBy: { field: NAME, direction: DESC }
        ) { totalCount nodes {
          id cmId name date startsAt numberOfDays city countryCode performerCount popularityRank eventSize
          topGenres { cmId name } links { platQ platR platS } additionalFields
        } } }`,
    )
    expect(errors).toEqual([])
    expect(data.festivals).toEqual({
      totalCount: null,
      nodes: [
        {
          id: 'Festival:450',
          cmId: 450,
          name: 'Saltmarsh Weekender',
          date: '2026-06-12',
          startsAt: '2026-06-12T00:00:00',
          numberOfDays: 3,
          city: 'Westharbour',
          countryCode: 'GB',
          performerCount: 41,
          popularityRank: null,
          eventSize: 'Medium (5,000-20,000)',
          topGenres: [{ cmId: 12, name: 'indie' }],
          links: { platQ: 'https://platq.example.invalid/f/450', platR: null, platS: null },
          additionalFields: null,
        },
      ],
    })
    expect(upstream.requests[0]?.query.toSorted()).toEqual([
      ['code2s[]', 'GB'],
      ['code2s[]', 'US'],
      ['eventSizes[]', 'medium'],
      ['eventSizes[]', 'mega'],
      ['genreIds[]', '12'],
      ['limit', '100'],
      ['name', 'salt'],
      ['offset', '0'],
      ['sortColumn', 'festivalName'],
      ['sortOrderDesc', 'true'],
    ])
    expect(credits.spent).toBe(1)
  })
})

describe('radio stations', () => {
  it('come whole for one credit, and every page is cut from that', async () => {
    const { query, upstream } = await run()
    const { data, errors } = await query(
      `{ radioStations(countryCode: "GB", first: 1) { totalCount pageInfo { endCursor hasNextPage } nodes {
          id cmId name genre frequency market broadcastArea country stationState imageUrl averageQuarterHour platform
          platLFollowers platLLikes platMFollowers platNFollowers platOViews additionalFields
      } } }`,
    )
    expect(errors).toEqual([])
    expect(data.radioStations.totalCount).toBe(30)
    expect(data.radioStations.nodes).toEqual([
      {
        id: 'RadioStation:31',
        cmId: 31,
        name: 'Harbour FM',
        genre: 'pop',
        frequency: '98.2',
        market: 'Westharbour',
        broadcastArea: 'West',
        country: 'GB',
        stationState: null,
        imageUrl: null,
        averageQuarterHour: 1200,
        platform: 'fm',
        platLFollowers: null,
        platLLikes: 5400,
        platMFollowers: 3_000_000_000,
        platNFollowers: null,
        platOViews: null,
        additionalFields: null,
      },
    ])
    const { endCursor } = data.radioStations.pageInfo
    const next = await query(
      `{ radioStations(countryCode: "GB", first: 50, after: "${endCursor}") { nodes { cmId } pageInfo { hasNextPage } } }`,
    )
    expect(next.data.radioStations.nodes).toHaveLength(29)
    expect(next.data.radioStations.pageInfo.hasNextPage).toBe(false)
    expect(upstream.requests.map(({ query: pairs }) => pairs)).toEqual([[['code2', 'GB']]])
  })
})
