import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { createSandbox } from '../src/sandbox/server.ts'
import { openGateway } from './support/gateway.ts'
import { run } from './support/run.ts'

const CHART = `{ charts { platB(countryCode: "US", first: 100) { nodes {
  rank track { name isrc artists { name } albums { name label } } } } } }`

describe('a chart with its tracks, artists and albums', () => {
  test('costs one credit, since the row carries all of it', async () => {
    const { query, meter } = await run()
    const { data, errors, credits } = await query(CHART)
    expect(errors).toEqual([])
    expect(data.charts.platB.nodes).toHaveLength(100)
    expect(data.charts.platB.nodes[0].track.name).toEqual(expect.any(String))
    expect(credits.spent).toBe(1)
    expect(meter.credits).toBe(1)
    expect(meter.requests.map(({ path }) => path)).toEqual([
      '/api/charts/platB?country_code=US&latest=true',
    ])
  })

  test('a field that the row does not carry costs one credit for each distinct artist, once', async () => {
    const { query, meter } = await run()
    const deeper = CHART.replace('artists { name }', 'artists { cmId careerStatus { stage } }')
    const { data, errors, credits } = await query(deeper)
    expect(errors).toEqual([])
    const artists = data.charts.platB.nodes.flatMap(
      ({ track }: { track: { artists: { cmId: number }[] } | null }) =>
        (track?.artists ?? []).map(({ cmId }) => cmId),
    )
    const distinct = new Set(artists.filter((cmId: number) => cmId !== 1)).size
    expect(distinct).toBeGreaterThan(40)
    expect(credits.spent).toBe(1 + distinct)
    expect(meter.credits).toBe(1 + distinct)
    expect(credits.savedBy.merged).toBe(
      artists.filter((cmId: number) => cmId !== 1).length - distinct,
    )

    const again = await query(deeper)
    expect(again.data).toEqual(data)
    expect(again.credits.spent).toBe(0)
    expect(meter.credits).toBe(1 + distinct)
  })

  test('what is skipped is not asked for', async () => {
    const { query } = await run()
    const skipping = CHART.replace(
      'artists { name }',
      'artists { name careerStatus @include(if: false) { stage } }',
    )
    expect((await query(skipping)).credits.spent).toBe(1)
  })
})

test('50 equal queries at once on a cold gateway: one mint, each request once', async () => {
  const { query, meter } = await run({ sandbox: { latencyMs: 20 } })
  const text =
    '{ artist(cmId: 5) { name careerStatus { stage } } track(cmId: 7) { name durationMs } }'
  const results = await Promise.all(Array.from({ length: 50 }, () => query(text)))
  expect(meter.tokenCalls).toBe(1)
  expect(meter.credits).toBe(2)
  expect(new Set(results.map(({ data }) => JSON.stringify(data))).size).toBe(1)
  expect(results.reduce((sum, { credits }) => sum + credits.spent, 0)).toBe(2)
  expect(results.reduce((sum, { credits }) => sum + credits.saved, 0)).toBe(98)
})

test('twenty pages of 50 playlists cost two credits, with no row twice and none missing', async () => {
  const { query, meter } = await run()
  const positions: number[] = []
  let after: string | null = null
  for (let page = 0; page < 20; page++) {
    const { data, errors } = await query(
      `query ($after: String) { playlists(platform: PLAT_B, first: 50, after: $after) {
        edges { position node { cmId } } pageInfo { hasNextPage endCursor } totalCount } }`,
      { after },
    )
    expect(errors).toEqual([])
    positions.push(...data.playlists.edges.map((edge: { position: number }) => edge.position))
    after = data.playlists.pageInfo.endCursor
    expect(data.playlists.pageInfo.hasNextPage).toBe(true)
  }
  const first = positions[0] ?? 0
  expect(positions).toEqual(Array.from({ length: 1000 }, (_, at) => first + at))
  expect(meter.credits).toBe(2)
})

test('a restart goes on with the newest refresh token, under an upstream that refuses older ones', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'refrain-'))
  const sandbox = createSandbox({
    clock: systemClock,
    refreshToken: 'seed',
    rotation: 'strict',
    tokenLifetime: 2,
  })
  const url = await sandbox.listen()
  onTestFinished(() => sandbox.close())
  for (let life = 1; life <= 3; life++) {
    const { gateway, query } = openGateway(url, { STATE_DIR: stateDir })
    sandbox.revokeAccessTokens()
    const { data, errors } = await query(`{ artist(cmId: ${life + 1}) { name } }`)
    expect(errors).toEqual([])
    expect(data.artist.name).toEqual(expect.any(String))
    await gateway.close()
  }
  expect(sandbox.meter.tokenCalls).toBeGreaterThanOrEqual(3)
})

describe('arguments that the service would refuse', () => {
  test.each([
    ['{ artist(cmId: 1) { name } }', 'cmId must be an integer from 2 to 2147483647, got 1'],
    ['{ track(cmId: -1) { name } }', 'cmId must be an integer from 0 to 2147483647, got -1'],
    [
      '{ playlists(platform: PLAT_B, first: -1) { nodes { name } } }',
      'first must be an integer from 0 to 10000, got -1',
    ],
    [
      '{ playlists(platform: PLAT_B, first: 10001) { nodes { name } } }',
      'first must be an integer from 0 to 10000, got 10001',
    ],
    [
      '{ playlists(platform: PLAT_C, orderBy: { field: FOLLOWERS }) { nodes { name } } }',
      'orderBy must be one of ACTIVE_RATIO, LAST_UPDATED, TRACK_COUNT, RANK, got FOLLOWERS',
    ],
    [
      '{ playlists(platform: PLAT_B, filter: { countryCode: "GBR" }) { nodes { name } } }',
      'countryCode must be a country of two letters (ISO 3166-1), got "GBR"',
    ],
    [
      `{ search(query: "${'x'.repeat(101)}") { artists { nodes { name } } } }`,
      'query must be a text of 1 to 100 characters',
    ],
    [
      '{ charts { platB(countryCode: "US", date: "2025-02-30") { nodes { rank } } } }',
      'date must be a day of the calendar, YYYY-MM-DD, got "2025-02-30"',
    ],
    [
      '{ artistsByStat(stat: RANK, min: 5, max: 4) { nodes { rank } } }',
      'min: min at most max, got 5',
    ],
  ])('%s', async (text, message) => {
    const { query, meter } = await run()
    const { errors, credits } = await query(text)
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toContain(message)
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(errors[0]?.extensions.argument).toEqual(expect.any(String))
    expect(meter.requests).toHaveLength(0)
    expect(credits.spent).toBe(0)
  })

  test("another listing's cursor is refused before anything is sent", async () => {
    const { query, meter } = await run()
    const { data } = await query(
      '{ playlists(platform: PLAT_B, first: 2) { pageInfo { endCursor } } }',
    )
    const after = data.playlists.pageInfo.endCursor
    const before = meter.credits
    for (const other of ['PLAT_C', 'PLAT_B, filter: { editorialOnly: false }']) {
      const { errors } = await query(
        `query ($after: String) { playlists(platform: ${other}, after: $after) { nodes { name } } }`,
        { after },
      )
      expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'after' })
    }
    expect(meter.credits).toBe(before)
  })

  test.each([
    ['artists', 'cmIds', '[2, 0, 3]', 'cmIds must be an integer from 2 to 2147483647, got 0'],
    ['tracks', 'cmIds', '[2, -1, 3]', 'cmIds must be an integer from 0 to 2147483647, got -1'],
    ['albums', 'cmIds', '[2, -1, 3]', 'cmIds must be an integer from 0 to 2147483647, got -1'],
    [
      'nodes',
      'ids',
      '["Artist:2", "Artist:0", "Track:3"]',
      'ids: cmId must be an integer from 2 to 2147483647, got 0',
    ],
    [
      'nodes',
      'ids',
      '["Artist:2", "Track:99999999999", "Track:3"]',
      'ids: cmId must be an integer from 0 to 2147483647, got 99999999999',
    ],
    [
      'nodes',
      'ids',
      '["Artist:2", "Artist:-5", "Track:3"]',
      'ids: cmId must be a whole number, got "-5"',
    ],
    [
      'nodes',
      'ids',
      '["Artist:2", "Fan:1", "Track:3"]',
      'ids must be a global id such as Artist:5, of Artist, Track, Album, Venue, Brand, got "Fan:1"',
    ],
    [
      'streamEstimates',
      'trackCmIds',
      '[2, -1, 3]',
      'trackCmIds must be an integer from 0 to 2147483647, got -1',
    ],
  ])('a bad slot of %s is one of %s: %s', async (field, argument, list, message) => {
    const { query } = await run()
    const { data, errors } = await query(`{ ${field}(${argument}: ${list}) { __typename } }`)
    expect(data[field].map((one: unknown) => one !== null)).toEqual([true, false, true])
    expect(errors).toMatchObject([
      { message, path: [field, 1], extensions: { code: 'BAD_USER_INPUT', argument } },
    ])
  })

  test('a bad argument fails its own field and leaves its siblings standing', async () => {
    const { query } = await run()
    const { data, errors } = await query(
      '{ bad: artist(cmId: 1) { name } good: artist(cmId: 2) { name } list: artists(cmIds: [2, 1, 3]) { name } }',
    )
    expect(data.bad).toBeNull()
    expect(data.good.name).toEqual(expect.any(String))
    expect(data.list.map((artist: unknown) => artist !== null)).toEqual([true, false, true])
    expect(errors.map(({ path }) => path)).toEqual([['bad'], ['list', 1]])
  })
})

describe('one failure among many calls', () => {
  test('a 500 of one artist leaves the rest of the chart standing, with a path and a code', async () => {
    const { query, sandbox } = await run()
    const { data: plain } = await query(CHART.replace('artists { name }', 'artists { cmId }'))
    const victim = plain.charts.platB.nodes
      .flatMap(
        ({ track }: { track: { artists: { cmId: number }[] } | null }) => track?.artists ?? [],
      )
      .find(({ cmId }: { cmId: number }) => cmId !== 1).cmId
    sandbox.faults.inject(`/api/artist/${victim}`, { status: 500 })
    const { data, errors } = await query(
      CHART.replace(
        'artists { name }',
        'artists { cmId name moods { name } careerStatus { stage } }',
      ),
    )
    expect(data.charts.platB.nodes).toHaveLength(100)
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors) {
      expect(error.extensions.code).toBe('UPSTREAM_UNAVAILABLE')
      expect(error.path?.slice(0, 3)).toEqual(['charts', 'platB', 'nodes'])
      expect(['moods', 'careerStatus']).toContain(error.path?.at(-1))
    }
    const stages = data.charts.platB.nodes.flatMap(
      ({ track }: { track: { artists: { careerStatus: unknown }[] } | null }) =>
        (track?.artists ?? []).map(({ careerStatus }) => careerStatus),
    )
    expect(stages.filter((stage: unknown) => stage !== null).length).toBeGreaterThan(40)
  })

  test('an entity that does not exist is null without an error', async () => {
    const { query, meter } = await run()
    const { data, errors } = await query(
      '{ artist(cmId: 2000000000) { name } track(cmId: 2000000000) { name } node(id: "Album:2000000000") { ... on Album { name } } }',
    )
    expect(errors).toEqual([])
    expect(data).toEqual({ artist: null, track: null, node: null })
    expect(meter.credits).toBe(3)
  })
})
