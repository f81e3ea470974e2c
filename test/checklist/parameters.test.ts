import { describe, expect, test } from 'vitest'
import { ask, pairsOf, refusal } from './ask.ts'

describe('E. shared parameter rules', () => {
  test('59: a date is a real day, sent as YYYY-MM-DD', async () => {
    for (const date of ['2025-02-30', '2025-13-01', '99999-01-01', ' 2024-01-01', '2024-1-1'])
      expect(
        (await refusal(`{ charts { platU(date: "${date}") { nodes { rank } } } }`))?.extensions
          .argument,
      ).toBe('date')
    expect(await pairsOf('{ charts { platU(date: "2024-02-29") { nodes { rank } } } }')).toEqual([
      'date=2024-02-29',
    ])
  })

  test('60, 61, 62: a chart without a date asks for the latest; with one, only for that', async () => {
    expect(await pairsOf('{ charts { platU { nodes { rank } } } }')).toEqual(['latest=true'])
    expect(await pairsOf('{ charts { platU(date: null) { nodes { rank } } } }')).toEqual([
      'latest=true',
    ])
    expect(await pairsOf('{ charts { platU(date: "2025-01-01") { nodes { rank } } } }')).toEqual([
      'date=2025-01-01',
    ])
  })

  test('63: a country is two letters of ISO 3166-1', async () => {
    for (const code of ['G', 'GBR', '12', 'XX', ''])
      expect(
        (await refusal(`{ radioStations(countryCode: "${code}") { nodes { name } } }`))?.extensions
          .argument,
      ).toBe('countryCode')
    expect(await pairsOf('{ radioStations(countryCode: "gb") { nodes { name } } }')).toEqual([
      'code2=GB',
    ])
  })

  test('64, 112: arrays are sent as repeated name[]=', async () => {
    const { sent } = await ask(
      '{ playlists(platform: PLAT_B, filter: { tagIds: [9, 3] }) { nodes { name } } }',
    )
    expect(sent[0]?.pairs.filter((pair) => pair.startsWith('tagIds'))).toEqual([
      'tagIds[]=3',
      'tagIds[]=9',
    ])
  })

  test('65, 66: booleans are true or false, integers plain', async () => {
    const pairs = await pairsOf(
      '{ venues(filter: { minCapacity: 0, maxCapacity: 100000, includeFutureShows: false }) { nodes { venueType } } }',
    )
    expect(pairs).toEqual(
      expect.arrayContaining(['minCapacity=0', 'maxCapacity=100000', 'includeFutureShows=false']),
    )
    expect(
      await pairsOf(
        '{ artistsByStat(stat: RANK, min: "0", max: "90071992547409931") { nodes { rank } } }',
      ),
    ).toEqual(expect.arrayContaining(['min=0', 'max=90071992547409931']))
  })

  test('66: an integer with a fraction, or beyond 32 bits where none is meant, is not sent', async () => {
    for (const value of ['1.5', '"7"', 'true', '2147483648', '1e3'])
      expect(
        (await ask(`{ venues(filter: { minCapacity: ${value} }) { nodes { venueType } } }`)).sent,
        value,
      ).toHaveLength(0)
  })

  test('67, 125: values arrive as they were written, whatever is in them', async () => {
    for (const query of [
      'Óskar & Þúfa + 50% #1/2',
      '&limit=100&x=',
      '%26',
      'https://open.plata.example.invalid/artist/7Qx?si=a&b=c',
      '🎷',
    ])
      expect(
        await pairsOf('query ($q: String!) { search(query: $q) { artists { nodes { name } } } }', {
          q: query,
        }),
      ).toContain(`q=${query}`)
  })

  test('68: a path value cannot change the path', async () => {
    for (const id of ['..', '.', '%2e%2e', '../artist/5', 'a/b', 'a?b', 'a#b', 'a\\r\\nX: y', '']) {
      expect((await refusal(`{ venue(cmId: "${id}") { name } }`))?.extensions.argument).toBe('cmId')
      expect((await refusal(`{ brand(cmId: "${id}") { audience } }`))?.extensions.argument).toBe(
        'cmId',
      )
      await refusal(`{ charts { platGCities(countryCode: "${id}") } }`)
    }
  })

  test('69: only documented parameters are sent', async () => {
    expect(
      await pairsOf('{ charts { platB(countryCode: "US", first: 5) { nodes { rank } } } }'),
    ).toEqual(['country_code=US', 'latest=true'])
    expect(await pairsOf('{ radioStations(first: 5) { nodes { name } } }')).toEqual([])
  })

  test('70, 71, 110: what is left out is not sent empty; documented defaults and a limit are sent', async () => {
    expect(
      await pairsOf(
        '{ playlists(platform: PLAT_C, filter: { countryCode: null }) { nodes { name } } }',
      ),
    ).toEqual(['editorial=true', 'limit=100', 'offset=0', 'sortOrderDesc=true'])
    expect(
      await pairsOf('{ charts { platDTracks(interval: ALL_TIME) { nodes { rank } } } }'),
    ).toEqual(['latest=true', 'limit=100', 'offset=0'])
  })
})
