import { describe, expect, test } from 'vitest'
import type { Seen } from '../support/script.ts'
import { ask, refusal } from './ask.ts'

const text = (ids: readonly number[], days = '') =>
  `{ streamEstimates(trackCmIds: [${ids}]${days}) {
    status track { cmId } estimates { date playlistCount expectedPlaylistStreams } } }`
const idsOf = ({ body }: Pick<Seen, 'body'>): number[] => JSON.parse(body).ids
const itemOf = (id: number) => ({
  cm_track: id,
  status: 'available',
  estimates: [
    { cm_track: id, timestp: '2025-06-02', playlist_count: id, expected_playlist_streams: id * 10 },
  ],
})
const shuffled = (seen: Seen) => ({ body: { obj: idsOf(seen).reverse().map(itemOf) } })
const row = (id: number) => ({
  status: 'AVAILABLE',
  track: { cmId: id },
  estimates: [{ date: '2025-06-02', playlistCount: id, expectedPlaylistStreams: id * 10 }],
})
const range = (length: number, from = 10) => Array.from({ length }, (_, at) => from + at)

describe('N. stream estimates, in detail', () => {
  test('191: the day goes in the query, the body holds the ids and nothing else', async () => {
    const { sent } = await ask(text([5], ', date: "2025-06-02"'), shuffled)
    expect([sent[0]?.method, sent[0]?.pairs, JSON.parse(sent[0]?.body ?? '')]).toEqual([
      'POST',
      ['date=2025-06-02'],
      { ids: [5] },
    ])
    for (const bound of ['since', 'until'])
      expect((await ask(text([5], `, ${bound}: "2025-06-02"`), shuffled)).sent[0]?.pairs).toEqual([
        `${bound}=2025-06-02`,
      ])
  })

  test('192: fifty ids are one request, fifty-one are two, and none is none', async () => {
    const sizesOf = async (ids: readonly number[]) =>
      (await ask(text(ids), shuffled)).sent.map((seen) => idsOf(seen).length)
    expect(await sizesOf(range(50))).toEqual([50])
    expect(await sizesOf(range(51))).toEqual([50, 1])
    expect(await sizesOf([...range(50), ...range(50)])).toEqual([50])
    expect(await sizesOf([])).toEqual([])
    const edges = await ask(text([0, 2147483647]), shuffled)
    expect(edges.sent.map(idsOf)).toEqual([[0, 2147483647]])
    const beyond = await ask(text([2147483648]), shuffled)
    expect([beyond.sent, beyond.errors.length]).toEqual([[], 1])
  })

  test('193: either bound excludes the date, and a range may not run backwards', async () => {
    for (const days of [
      ', date: "2025-06-02", until: "2025-06-09"',
      ', date: "2025-06-02", since: "2025-06-01", until: "2025-06-09"',
      ', since: "2025-06-09", until: "2025-06-02"',
    ]) {
      const { sent, codes } = await ask(text([5], days), shuffled)
      expect([sent, codes], days).toEqual([[], ['BAD_USER_INPUT']])
    }
  })

  test('195, 196: a repeated id is answered at each of its places, from its own item', async () => {
    const { data, errors, sent } = await ask(text([7, 5, 7, 6]), shuffled)
    expect(errors).toEqual([])
    expect(sent.map((seen) => idsOf(seen).sort())).toEqual([[5, 6, 7]])
    expect(data.streamEstimates).toEqual([row(7), row(5), row(7), row(6)])
  })

  test('195: tracks of one page share a request, and a missing one leaves the rest', async () => {
    const { data, errors, sent, credits } = await ask(
      `{ tracks(cmIds: [5, 6, 5]) { cmId streamEstimates { status estimates { playlistCount } } } }`,
      (seen) => ({
        body: {
          obj: idsOf(seen)
            .reverse()
            .map((id) =>
              id === 6 ? { cm_track: 6, status: 'not_found', estimates: [] } : itemOf(id),
            ),
        },
      }),
    )
    expect(errors).toEqual([])
    const found = {
      cmId: 5,
      streamEstimates: { status: 'AVAILABLE', estimates: [{ playlistCount: 5 }] },
    }
    expect(data.tracks).toEqual([
      found,
      { cmId: 6, streamEstimates: { status: 'NOT_FOUND', estimates: [] } },
      found,
    ])
    expect([sent.length, credits.spent]).toEqual([1, 1])
  })
})

describe('N. stream estimates', () => {
  const text = (ids: number[], days = '') =>
    `{ streamEstimates(trackCmIds: [${ids}]${days}) { status track { cmId } estimates { date } } }`
  const estimates = ({ body }: { readonly body: string }) => ({
    body: {
      obj: (JSON.parse(body).ids as number[])
        .filter((id) => id !== 4)
        .reverse()
        .map((id) => ({
          cm_track: id,
          status: id === 3 ? 'not_found' : 'available',
          estimates: [],
        })),
    },
  })

  test('191, 194: a POST with JSON ids; without days it asks for the latest', async () => {
    const { sent } = await ask(text([5, 6]), estimates)
    expect([
      sent[0]?.method,
      sent[0]?.path,
      sent[0]?.pairs,
      JSON.parse(sent[0]?.body ?? ''),
    ]).toEqual(['POST', '/api/track/playlist-stream-estimates', [], { ids: [5, 6] }])
    expect(sent[0]?.headers['content-type']).toMatch(/^application\/json/)
    const dated = await ask(text([5], ', since: "2025-01-01", until: "2025-02-01"'), estimates)
    expect(dated.sent[0]?.pairs).toEqual(['since=2025-01-01', 'until=2025-02-01'])
  })

  test('192: fifty ids a request, each once', async () => {
    const ids = Array.from({ length: 120 }, (_, at) => at + 10)
    const { sent, credits } = await ask(text([...ids, 10, 11]), estimates)
    expect(sent.map(({ body }) => JSON.parse(body).ids.length)).toEqual([50, 50, 20])
    expect(credits.spent).toBe(3)
    expect((await ask(text([-1]), estimates)).codes).toEqual(['BAD_USER_INPUT'])
  })

  test('193: a date excludes since and until', async () => {
    expect(
      (await refusal(text([5], ', date: "2026-01-02", since: "2025-12-01"')))?.message,
    ).toContain('date excludes since, until')
  })

  test('195, 196: missing tracks are items, and items are found by their track', async () => {
    const { data, errors } = await ask(text([5, 3, 4]), estimates)
    expect(errors).toEqual([])
    expect(data.streamEstimates).toEqual([
      { status: 'AVAILABLE', track: { cmId: 5 }, estimates: [] },
      { status: 'NOT_FOUND', track: { cmId: 3 }, estimates: [] },
      { status: 'NOT_FOUND', track: { cmId: 4 }, estimates: [] },
    ])
  })
})
