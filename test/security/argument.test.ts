import { describe, expect, test } from 'vitest'
import { ask, nothingSent, refusal } from '../checklist/ask.ts'

/** One argument, bad and good: the bad ones send nothing, and the good one shows that it is they. */
const held = async (query: (value: string) => string, bad: readonly string[], good: string) => {
  for (const value of bad) await nothingSent(query(value))
  expect((await ask(query(good))).sent, query(good)).toHaveLength(1)
}

const literal = (value: unknown) => JSON.stringify(value)
const onlyPath = async (query: string) => {
  const { sent } = await ask(query)
  return sent.map(({ path }) => path)
}

describe('what goes into an address', () => {
  test('24: a venue id that is no word is refused before an address is made of it', async () => {
    const bad = [
      '..',
      '.',
      '%2e%2e',
      'a/b',
      'a?b',
      'a#b',
      'a\r\nX: y',
      'a\u0000',
      '',
      ' ',
      'é',
      'x'.repeat(10_000),
    ]
    for (const id of bad) await nothingSent(`{ venue(cmId: ${literal(id)}) { name } }`)
    expect(await onlyPath('{ venue(cmId: "a-B_9") { name } }')).toEqual(['/api/event/venue/a-B_9'])
  })

  test('25: an artist id outside 2 to 2147483647 is refused; 1 costs nothing', async () => {
    const bad = ['0', '-1', '2147483648', '1.5', '1e3', '"2 "', '"2"', 'null', 'true']
    await held((id) => `{ artist(cmId: ${id}) { name } }`, bad, '2147483647')
    expect((await ask('{ artist(cmId: 1) { name } }')).sent).toEqual([])
  })

  test('26: a part of a path is one of the words that the schema names', async () => {
    const stat = (word: string) =>
      `{ artistsByStat(stat: ${word}, min: 0, max: 1) { nodes { rank } } }`
    await held(stat, ['FOO', '"../x"', '"PLAT_A_FOLLOWERS"'], 'PLAT_A_FOLLOWERS')
    const lists = (word: string) => `{ playlists(platform: ${word}) { nodes { name } } }`
    await held(lists, ['"../x"', '__proto__', 'constructor'], 'PLAT_B')
    const events = (word: string) =>
      `{ artist(cmId: 5) { events(status: ${word}, fromDaysAgo: 1, toDaysAgo: 0) { nodes { __typename } } } }`
    await held(events, ['"../x"', 'toString'], 'PAST')
    const premium = (word: string) =>
      `{ artist(cmId: 5) { premium { playlists(platform: ${word}, status: "current") } } }`
    await held(premium, ['..', 'a/b', 'a?b', 'x'.repeat(33)].map(literal), '"platA"')
  })

  test('27: an address to search for is text, and nothing but the service is asked', async () => {
    for (const query of [
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'gopher://x',
      'http://127.0.0.1:4001/readyz',
    ]) {
      const { sent } = await ask(
        `{ search(query: ${literal(query)}) { artists { nodes { name } } } }`,
      )
      expect(sent.map(({ path, query: pairs }) => [path, new Map(pairs).get('q')])).toEqual([
        ['/api/search', query],
      ])
    }
  })

  test('28: a text to search for stays one parameter, and is counted in characters', async () => {
    for (const query of ['a&limit=100&x=', '%26', '\u{1f3b5}'.repeat(100), 'a+b c', '=&=#?']) {
      const { sent } = await ask(
        `{ search(query: ${literal(query)}) { artists { nodes { name } } } }`,
      )
      expect(sent[0]?.query.filter(([name]) => name === 'q')).toEqual([['q', query]])
      expect(sent[0]?.query.filter(([name]) => name === 'x')).toEqual([])
    }
    await refusal(`{ search(query: "${'x'.repeat(101)}") { artists { nodes { name } } } }`)
    await refusal('{ search(query: "\\ud83c") { artists { nodes { name } } } }')
  })

  test('29: a list of genres holds numbers and nothing else', async () => {
    const genres = (list: string) =>
      `{ tracksByStat(filter: { genreIds: ${list} }) { nodes { track { name } } } }`
    await held(genres, ['["1&artists[]=2"]', '[1.5]', '["1"]', '[null]'], '[1, 2]')
    const { sent } = await ask(genres('[1, 2]'))
    expect(sent[0]?.query.filter(([name]) => name.startsWith('genres'))).toEqual([
      ['genres[]', '1'],
      ['genres[]', '2'],
    ])
  })

  test('30: a day that is none is refused', async () => {
    const bad = ['2024-02-30', '99999-01-01', ' 2024-01-01', '2024-1-1', '2024-01-01T00:00:00Z', '']
    const chart = (date: string) =>
      `{ charts { platB(countryCode: "US", date: ${date}) { nodes { rank } } } }`
    await held(chart, bad.map(literal), '"2024-02-29"')
  })

  test('31: a page beyond what an endpoint gives sends nothing', async () => {
    const page = (first: string) => `{ venues(first: ${first}) { nodes { venueType } } }`
    await held(page, ['10001', '2147483647', '-1'], '10')
  })

  test('32: a bound of a range is a whole number that can be written', async () => {
    const bad = ['NaN', 'Infinity', '1e999', '"1e999"', '-1', '1.5', '"Infinity"', 'null']
    const range = (min: string) =>
      `{ artistsByStat(stat: PLAT_A_FOLLOWERS, min: ${min}, max: 5) { nodes { rank } } }`
    await held(range, bad, '0')
  })
})

describe('what comes back', () => {
  test('32: a number that is none is null, and counted', async () => {
    const { data, errors } = await ask('{ artist(cmId: 5) { rank name } }', () => ({
      text: '{"obj":{"id":5,"name":"Ada","cm_artist_rank":1e999}}',
    }))
    expect([data, errors]).toEqual([{ artist: { rank: null, name: 'Ada' } }, []])
  })

  test('33: counters beyond 2^31 and 2^53 keep every digit', async () => {
    const followers = (digits: string) =>
      ask('{ artist(cmId: 5) { statistics { platAFollowers } } }', () => ({
        text: `{"obj":{"id":5,"cm_statistics":{"sp_followers":${digits}}}}`,
      }))
    const read = async (digits: string) =>
      (await followers(digits)).data.artist.statistics.platAFollowers
    expect(await read('2147483648')).toBe(2_147_483_648)
    expect(await read('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
    expect(await read('9007199254740993')).toBe('9007199254740993')
    expect(await read('"123456789012345678901234567890"')).toBe('123456789012345678901234567890')
  })

  test('34: a picture is an http address or null', async () => {
    const urls = [
      'javascript:alert(1)',
      'data:text/html,x',
      '/a.png',
      'ftp://a/b',
      '//evil.example/x',
    ]
    for (const url of [...urls, 'https://a.example/b.png', 'http://a.example/b.png']) {
      const { data, sent } = await ask('{ artist(cmId: 5) { imageUrl } }', () => ({
        body: { obj: { id: 5, image_url: url } },
      }))
      expect(data.artist.imageUrl).toBe(urls.includes(url) ? null : url)
      expect(sent).toHaveLength(1)
    }
  })
})
