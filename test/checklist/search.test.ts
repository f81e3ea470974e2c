import { describe, expect, test } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'
import { ask, obj, pairsOf, refusal } from './ask.ts'

const find = (fields: string) => `{ search(query: "paper") { ${fields} } }`
const askedFor = ({ query }: Seen, name: string) => query.find(([key]) => key === name)?.[1]

describe('J. search, in detail', () => {
  test('126: pages follow each other by offset, and a short window ends the list', async () => {
    const artists = Array.from({ length: 130 }, (_, at) => ({ id: 2 + at, name: `Artist ${at}` }))
    const { data, sent } = await ask(
      find('artists(first: 250) { nodes { name } pageInfo { hasNextPage } }'),
      (seen): Scripted => {
        const offset = Number(askedFor(seen, 'offset'))
        return { body: { obj: { artists: artists.slice(offset, offset + 100) } } }
      },
    )
    expect(sent.map((seen) => [askedFor(seen, 'offset'), askedFor(seen, 'limit')])).toEqual([
      ['0', '100'],
      ['100', '100'],
    ])
    expect(data.search.artists.nodes).toHaveLength(130)
    expect(data.search.artists.nodes[129]).toEqual({ name: 'Artist 129' })
    expect(data.search.artists.pageInfo.hasNextPage).toBe(false)
  })

  test('127: each of the nine values can be asked for, of the engine that gives one flat list', async () => {
    for (const type of [
      'artists',
      'tracks',
      'playlists',
      'curators',
      'albums',
      'stations',
      'cities',
      'songwriters',
      'all',
    ]) {
      const { sent } = await ask(
        `{ suggestions(query: "paper", kind: ${type.toUpperCase()}) { nodes { target } } }`,
        obj({ suggestions: [] }),
      )
      expect(sent.map((seen) => askedFor(seen, 'type'))).toEqual([type])
    }
  })

  test('128, 129: each platform goes out as the service spells it, and only with beta', async () => {
    const { sent } = await ask(
      `{ suggestions(query: "a", platforms: [CM, PLAT_A, PLAT_H, PLAT_I, PLAT_B, PLAT_C, PLAT_J,
        PLAT_K, PLAT_E, ACR, CM]) { nodes { target } } }`,
    )
    expect(sent).toHaveLength(1)
    expect(sent[0]?.pairs.filter((pair) => pair.startsWith('platforms'))).toEqual(
      ['acr', 'cm', 'platA', 'platB', 'platC', 'platE', 'platH', 'platI', 'platJ', 'platK'].map(
        (platform) => `platforms[]=${platform}`,
      ),
    )
    expect(sent[0]?.pairs).toContain('beta=true')
    const buckets = await ask(find('artists { nodes { name } } tracks { nodes { name } }'))
    expect(buckets.sent[0]?.pairs.filter((pair) => /^(beta=true|platforms)/.test(pair))).toEqual([])
  })

  test('130: suggestions keep the order of the service, and buckets are not read as suggestions', async () => {
    const text = '{ suggestions(query: "a") { nodes { target matchStrength } } }'
    const { data, credits } = await ask(
      text,
      obj([{ target: 'track', match_strength: 0.5 }, { target: 'artist' }]),
    )
    expect(data.suggestions.nodes).toEqual([
      { target: 'track', matchStrength: 0.5 },
      { target: 'artist', matchStrength: null },
    ])
    expect(credits.spent).toBe(1)
    const buckets = await ask(text, obj({ artists: [{ id: 5, name: 'Ada' }] }))
    expect(buckets.data.suggestions?.nodes ?? []).toEqual([])
  })

  test('131: what is left out is not sent, with and without beta', async () => {
    for (const text of [
      find('cities { nodes { name } }'),
      '{ suggestions(query: "a") { nodes { target } } }',
    ]) {
      const { sent } = await ask(text)
      expect(sent).toHaveLength(1)
      expect(sent[0]?.pairs.filter((pair) => pair.startsWith('triggerCitiesOnly'))).toEqual([])
    }
  })

  test('132: playlists of six platforms and curators of five, each from its own list', async () => {
    const six = ['platA', 'platI', 'platB', 'platC', 'platJ', 'platE']
    const five = ['platA', 'platI', 'platB', 'platC', 'platJ']
    const word = (platform: string) => platform.replace('plat', 'PLAT_')
    const listOf = (field: string, platform: string) =>
      `${field}_${platform}: ${field}(platform: ${word(platform)}) { nodes { cmId name } }`
    const { data, errors, credits } = await ask(
      find(
        [
          ...six.map((platform) => listOf('playlists', platform)),
          ...five.map((platform) => listOf('curators', platform)),
        ].join('\n'),
      ),
      obj({
        playlists: Object.fromEntries(six.map((p, at) => [p, [{ id: at, name: `list ${p}` }]])),
        curators: Object.fromEntries(five.map((p, at) => [p, [{ id: at, name: `who ${p}` }]])),
      }),
    )
    expect(errors).toEqual([])
    expect(credits.spent).toBe(1)
    expect(data.search).toEqual({
      ...Object.fromEntries(
        six.map((p, at) => [
          `playlists_${p}`,
          { nodes: [{ cmId: String(at), name: `list ${p}` }] },
        ]),
      ),
      ...Object.fromEntries(
        five.map((p, at) => [`curators_${p}`, { nodes: [{ cmId: at, name: `who ${p}` }] }]),
      ),
    })
    const refused = await ask(find('curators(platform: PLAT_E) { nodes { name } }'))
    expect(refused.sent).toEqual([])
    expect(refused.errors).not.toEqual([])
  })

  test('134: a track that was found can be looked up as a track, by either of its ids', async () => {
    const run = await openScripted(({ path }) =>
      path === '/api/search'
        ? { body: { obj: { tracks: [{ id: '501', name: 'Tide' }] } } }
        : { body: { obj: { id: 501, name: 'Tide', duration_ms: 205000 } } },
    )
    const found = await run.query(find('tracks { nodes { id cmId durationMs } }'))
    expect(found.errors).toEqual([])
    const { id, cmId, durationMs } = found.data.search.tracks.nodes[0]
    expect([id, cmId, durationMs]).toEqual(['Track:501', 501, 205000])
    const again = await run.query(
      `{ track(cmId: ${cmId}) { durationMs } node(id: "${id}") { ... on Track { durationMs } } }`,
    )
    expect(again.data).toEqual({ track: { durationMs: 205000 }, node: { durationMs: 205000 } })
    expect(run.upstream.requests.map(({ path }) => path)).toEqual(['/api/search', '/api/track/501'])
    await run.close()
  })
})

describe('J. search', () => {
  const find = (fields: string, query = 'paper') => `{ search(query: "${query}") { ${fields} } }`

  test('124: the text is 1 to 100 characters', async () => {
    expect((await refusal(find('artists { nodes { name } }', 'x'.repeat(101))))?.message).toContain(
      '1 to 100 characters',
    )
    await refusal(find('artists { nodes { name } }', ''))
    expect(await pairsOf(find('artists { nodes { name } }', '🎷'.repeat(100)))).toContain(
      `q=${'🎷'.repeat(100)}`,
    )
  })

  test('126: windows of 100 at multiples of 100', async () => {
    expect(await pairsOf(find('artists(first: 3) { nodes { name } }'))).toEqual(
      expect.arrayContaining(['limit=100', 'offset=0']),
    )
  })

  test('127: one kind of list asks for all kinds as several do; what is absent is empty', async () => {
    expect(await pairsOf(find('artists { nodes { name } }'))).toContain('type=all')
    const { sent, data, credits } = await ask(
      find('artists { nodes { name } } tracks { nodes { name } } cities { nodes { name } }'),
      obj({ artists: [{ id: 5, name: 'Ada' }] }),
    )
    expect(sent).toHaveLength(1)
    expect(sent[0]?.pairs).toContain('type=all')
    expect(data.search).toEqual({
      artists: { nodes: [{ name: 'Ada' }] },
      tracks: { nodes: [] },
      cities: { nodes: [] },
    })
    expect(credits.spent).toBe(1)
    const { data: kinds } = await ask('{ __type(name: "SearchKind") { enumValues { name } } }')
    expect(kinds.__type.enumValues).toHaveLength(9)
  })

  test('128, 129: platforms belong to the beta engine, and are ten', async () => {
    const { data } = await ask(
      '{ __type(name: "SuggestionPlatform") { enumValues { name } } search: __type(name: "Query") { fields { name args { name } } } }',
    )
    expect(data.__type.enumValues.map(({ name }: { name: string }) => name)).toEqual([
      'ACR',
      'CM',
      'PLAT_A',
      'PLAT_B',
      'PLAT_C',
      'PLAT_E',
      'PLAT_H',
      'PLAT_I',
      'PLAT_J',
      'PLAT_K',
    ])
    const { args } = data.search.fields.find(({ name }: { name: string }) => name === 'search')
    expect(args.map(({ name }: { name: string }) => name)).not.toContain('platforms')
    expect(
      await pairsOf('{ suggestions(query: "a", platforms: [CM, PLAT_A]) { nodes { target } } }'),
    ).toEqual(expect.arrayContaining(['beta=true', 'platforms[]=cm', 'platforms[]=platA']))
  })

  test('130: beta suggestions are a flat list', async () => {
    const rows = [{ target: 'artist', match_strength: 0.9, name: 'Ada' }]
    for (const body of [{ suggestions: rows }, rows]) {
      const { data } = await ask(
        '{ suggestions(query: "a") { nodes { target matchStrength additionalFields } } }',
        obj(body),
      )
      expect(data.suggestions.nodes).toEqual([
        { target: 'artist', matchStrength: 0.9, additionalFields: { name: 'Ada' } },
      ])
    }
  })

  test('131: trigger cities are asked for, with and without beta', async () => {
    expect(
      await pairsOf(
        '{ search(query: "a", triggerCitiesOnly: true) { cities { nodes { name } } } }',
      ),
    ).toContain('triggerCitiesOnly=true')
    expect(
      await pairsOf('{ suggestions(query: "a", triggerCitiesOnly: false) { nodes { target } } }'),
    ).toContain('triggerCitiesOnly=false')
  })

  test('132, 133, 134, 135: lists by platform, ids of both types, and nulls', async () => {
    const { data, errors } = await ask(
      find(
        'b: playlists(platform: PLAT_B) { nodes { cmId platform } } a: playlists(platform: PLAT_A) { nodes { cmId } } curators(platform: PLAT_J) { nodes { cmId imageUrl } } tracks { nodes { cmId name } } cities { nodes { province } } songwriters { nodes { imageUrl } }',
      ),
      obj({
        playlists: { platB: [{ id: 12 }], platA: [{ id: '37i9' }] },
        curators: { platJ: [{ id: 3, image_url: null }] },
        tracks: [{ id: '501', name: 'Tide' }],
        cities: [{ id: 1, province: null }],
        songwriters: [{ doc_id: 1, image_url: null }],
      }),
    )
    expect(errors).toEqual([])
    expect(data.search).toEqual({
      b: { nodes: [{ cmId: '12', platform: 'PLAT_B' }] },
      a: { nodes: [{ cmId: '37i9' }] },
      curators: { nodes: [{ cmId: 3, imageUrl: null }] },
      tracks: { nodes: [{ cmId: 501, name: 'Tide' }] },
      cities: { nodes: [{ province: null }] },
      songwriters: { nodes: [{ imageUrl: null }] },
    })
  })

  test('136: the five undocumented lists are passed on, empty where there is none', async () => {
    const { data } = await ask(
      find(
        'stations { nodes } labels { nodes } countries { nodes } genres { nodes } festivals { nodes }',
      ),
      obj({ labels: [{ any: 'thing' }] }),
    )
    expect(data.search).toEqual({
      stations: { nodes: [] },
      labels: { nodes: [{ any: 'thing' }] },
      countries: { nodes: [] },
      genres: { nodes: [] },
      festivals: { nodes: [] },
    })
  })
})
