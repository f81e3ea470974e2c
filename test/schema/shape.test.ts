import { describe, expect, test } from 'vitest'
import { ask, obj } from '../checklist/ask.ts'

const EVENTS = (fields: string) =>
  `{ artist(cmId: 5) { events(status: PAST, fromDaysAgo: 9, toDaysAgo: 0) { nodes { ${fields} } } } }`
const place = (city: unknown) => [{ id: 60001, event_name: 'Lanterns', city }]
const STATS = 'platAFollowers platAPopularity counters(names: ["sp_popularity"]) { value }'

/** A member in two shapes: what is asked, what the service gives, and what both must come to. */
describe.each([
  [
    "an event's city",
    EVENTS('cityName province'),
    [place({ name: 'Westharbour', province: null }), place('Westharbour')],
    { artist: { events: { nodes: [{ cityName: 'Westharbour', province: null }] } } },
  ],
  [
    "a festival's city",
    '{ festivals { nodes { city } } }',
    [[{ id: 1, city: 'Westharbour' }], [{ id: 1, city: { id: 78, name: 'Westharbour' } }]],
    { festivals: { nodes: [{ city: 'Westharbour' }] } },
  ],
  [
    "a listed venue's city",
    '{ venues { nodes { venue { cityName } } } }',
    [
      { data: [{ id: 9, city: 'Westharbour' }], total: 1 },
      { data: [{ id: 9, city: { id: 78, name: 'Westharbour' } }], total: 1 },
    ],
    { venues: { nodes: [{ venue: { cityName: 'Westharbour' } }] } },
  ],
  [
    'a career',
    '{ artist(cmId: 5) { careerStatus { stage trend } } }',
    [
      { id: 5, career_status: { stage: 'developing' } },
      { id: 5, career_status: 'developing' },
    ],
    { artist: { careerStatus: { stage: 'developing', trend: null } } },
  ],
  [
    'the rank of a genre',
    '{ artist(cmId: 5) { genreRank { name rank } } }',
    [
      { id: 5, genreRank: { name: 'indie' } },
      { id: 5, genreRank: 'indie' },
    ],
    { artist: { genreRank: { name: 'indie', rank: null } } },
  ],
  [
    "an artist's score",
    '{ artist(cmId: 5) { score additionalFields } }',
    [
      { id: 5, cm_artist_score: 54.2 },
      { id: 5, cm_score: 54.2 },
      { id: 5, cm_artist_score: null, cm_score: 54.2 },
    ],
    { artist: { score: 54.2, additionalFields: null } },
  ],
  [
    "an artist's counters",
    `{ artist(cmId: 5) { statistics { ${STATS} } } }`,
    [
      { id: 5, cm_statistics: { sp_followers: 88123, sp_popularity: 41 } },
      {
        id: 5,
        cm_statistics: {
          latest: { sp_followers: 88123, sp_popularity: 41 },
          weekly_diff: { sp_followers: -12 },
        },
      },
      {
        id: 5,
        cm_statistics: { sp_followers: '88123', latest: { sp_followers: 1, sp_popularity: 41 } },
      },
    ],
    {
      artist: {
        statistics: { platAFollowers: 88123, platAPopularity: 41, counters: [{ value: 41 }] },
      },
    },
  ],
  [
    "a track's artists",
    '{ track(cmId: 5) { artistNames } }',
    [
      { id: 5, artists: [{ name: 'Ada' }, { name: 'Ben' }] },
      { id: 5, artists: ['Ada', 'Ben'] },
    ],
    { track: { artistNames: ['Ada', 'Ben'] } },
  ],
  [
    "a track's albums",
    '{ track(cmId: 5) { albumCredits { name album { cmId } } } }',
    [
      { id: 5, albums: [{ name: 'Lanterns' }] },
      { id: 5, albums: ['Lanterns'] },
    ],
    { track: { albumCredits: [{ name: 'Lanterns', album: null }] } },
  ],
  [
    "a track's songwriters and tags",
    '{ track(cmId: 5) { songwriters tags } }',
    [
      { id: 5, songwriters: ['Ada', 'Ben'], tags: ['pop', 'indie'] },
      { id: 5, songwriters: [{ name: 'Ada' }, { name: 'Ben' }], tags: 'pop, indie' },
      { id: 5, songwriters: 'Ada, Ben', tags: [{ id: 11, name: 'pop' }, { name: 'indie' }] },
    ],
    { track: { songwriters: ['Ada', 'Ben'], tags: ['pop', 'indie'] } },
  ],
  [
    "a filter row's credits, genres and songwriters",
    '{ tracksByStat { nodes { artistCredits { name } albumCredits { name } genres songwriters } } }',
    [
      [
        {
          cm_track: 5,
          artist: [{ name: 'Ada' }],
          album: [{ name: 'Lanterns' }],
          genre: ['pop'],
          songwriter: ['Ben'],
        },
      ],
      [
        {
          cm_track: 5,
          artist: ['Ada'],
          album: 'Lanterns',
          genre: [{ id: 11, name: 'pop' }],
          songwriter: [{ name: 'Ben' }],
        },
      ],
    ],
    {
      tracksByStat: {
        nodes: [
          {
            artistCredits: [{ name: 'Ada' }],
            albumCredits: [{ name: 'Lanterns' }],
            genres: ['pop'],
            songwriters: ['Ben'],
          },
        ],
      },
    },
  ],
  [
    'a lineup',
    '{ venue(cmId: 9) { events { nodes { lineup { name artist { cmId } isHeadliner } } } } }',
    [
      { venueInfo: [{ doc_id: 9 }], events: [{ event_id: 1, artists: [{ name: 'Ada' }] }] },
      { venueInfo: { doc_id: 9 }, events: [{ event_id: 1, artists: ['Ada'] }] },
      { venueInfo: { 0: { doc_id: 9 } }, events: { 0: { event_id: 1, artists: { 0: 'Ada' } } } },
    ],
    {
      venue: {
        events: { nodes: [{ lineup: [{ name: 'Ada', artist: null, isHeadliner: null }] }] },
      },
    },
  ],
  [
    'a listing',
    '{ playlists(platform: PLAT_B) { nodes { name } } }',
    [
      [
        { id: 1, name: 'Calm' },
        { id: 2, name: 'Loud' },
      ],
      { 0: { id: 1, name: 'Calm' }, 1: { id: 2, name: 'Loud' } },
      {
        data: [
          { id: 1, name: 'Calm' },
          { id: 2, name: 'Loud' },
        ],
      },
      { obj: { 0: { id: 1, name: 'Calm' }, 1: { id: 2, name: 'Loud' } } },
      {
        items: [
          { id: 1, name: 'Calm' },
          { id: 2, name: 'Loud' },
        ],
      },
      {
        tracks: [
          { id: 1, name: 'Calm' },
          { id: 2, name: 'Loud' },
        ],
      },
      {
        platB: [
          { id: 1, name: 'Calm' },
          { id: 2, name: 'Loud' },
        ],
      },
    ],
    { playlists: { nodes: [{ name: 'Calm' }, { name: 'Loud' }] } },
  ],
  [
    "an artist's genres",
    '{ artist(cmId: 5) { genres { secondary { name } } } }',
    [
      { id: 5, genres: { secondary: [{ id: 11, name: 'pop' }] } },
      { id: 5, genres: [{ name: 'pop' }] },
      { id: 5, genres: ['pop', null] },
      { id: 5, genres: { 0: { id: 11, name: 'pop' } } },
      { id: 5, genres: 'pop' },
    ],
    { artist: { genres: { secondary: [{ name: 'pop' }] } } },
  ],
  [
    'an artist alone in an array',
    '{ artist(cmId: 5) { name } }',
    [{ id: 5, name: 'Ada' }, [{ id: 5, name: 'Ada' }], { 0: { id: 5, name: 'Ada' } }],
    { artist: { name: 'Ada' } },
  ],
])('%s', (_what, query, shapes, meant) => {
  test.each(shapes.map((shape) => [JSON.stringify(shape), shape]))(
    'reads the same from %s',
    async (_shown, shape) => {
      const { data, errors } = await ask(query, obj(shape))
      expect(errors).toEqual([])
      expect(data).toEqual(meant)
    },
  )
})

test.each([
  ['artist', { error: 'being rebuilt' }],
  ['track', { message: 'try later' }],
  ['album', { data: [] }],
])(
  'an %s of which no member is there is a complaint, not one full of nulls',
  async (field, said) => {
    const { data, codes } = await ask(`{ ${field}(cmId: 5) { name additionalFields } }`, obj(said))
    expect([data, codes]).toEqual([{ [field]: null }, ['UPSTREAM_BAD_RESPONSE']])
  },
)

test.each([
  ['buckets of a search', { tracks: [{ id: 1 }], artists: [{ id: 2 }] }],
  ['a holder that nobody has seen', { records: [{ id: 1 }] }],
  ['a text where rows are meant', { data: 'no rows' }],
])('%s is no listing', async (_what, said) => {
  const { data, codes } = await ask('{ festivals { nodes { name } } }', obj(said))
  expect([data, codes]).toEqual([{ festivals: null }, ['UPSTREAM_BAD_RESPONSE']])
})

test('a number where a name is meant is no name', async () => {
  const { data, errors } = await ask(
    '{ track(cmId: 5) { artistNames artists { cmId } genres { name } } }',
    obj({ id: 5, artists: [3301], genres: [11] }),
  )
  expect(errors).toEqual([])
  expect(data).toEqual({ track: { artistNames: [], artists: [], genres: [] } })
})
