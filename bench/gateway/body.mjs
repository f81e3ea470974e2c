// Bodies of the stub: as large and as wide as those of the service, the same on every machine.
const WORDS =
  'midnight river golden echo lights summer avenue paper heart neon winter satellite'.split(' ')
const words = (seed, count) =>
  Array.from({ length: count }, (_, i) => WORDS[(seed * 7 + i * 5) % WORDS.length]).join(' ')
const picture = (seed) => `https://img.example/i/${((seed + 1) * 2654435761).toString(16)}`
const STATISTICS = [
  'sp',
  'platB',
  'platC',
  'platD',
  'platE',
  'platG',
  'platH',
  'platI',
  'platJ',
  'platK',
]

const counters = (seed, kinds) =>
  Object.fromEntries(
    STATISTICS.flatMap((platform) =>
      kinds.map((kind, i) => [`${platform}_${kind}`, (seed * 7919 + i * 104729) % 90_000_000]),
    ),
  )

const genre = (id, type) => ({ id, name: WORDS[id % WORDS.length], type, source: 'cm' })

export const artist = (id) => ({
  id,
  name: `Artist ${words(id, 2)} ${id}`,
  code2: 'US',
  band: id % 2 === 0,
  cm_artist_rank: 1 + (id % 900_000),
  cm_artist_score: (id % 1000) / 10,
  cover_url: picture(id),
  image_url: picture(id + 1),
  isni: `0000000${100_000_000 + (id % 800_000_000)}`,
  description: words(id, 500),
  genres: {
    primary: genre(1, 'primary'),
    secondary: [genre(2, 'secondary'), genre(3, 'secondary')],
    sub: [genre(4, 'sub')],
  },
  career_status: { stage: 'mainstream', stage_score: 71.5, trend: 'growth', trend_score: 64.25 },
  cm_statistics: {
    ...counters(id, ['followers', 'followers_rank', 'monthly_listeners', 'views', 'views_rank']),
    ...counters(id, ['playlist_count', 'playlist_total_reach', 'likes', 'plays', 'popularity']),
  },
})

export const track = (id) => ({
  id,
  name: `Track ${words(id, 3)} ${id}`,
  isrc: `USUM7${1_000_000 + (id % 8_000_000)}`,
  image_url: picture(id),
  duration_ms: 180_000 + (id % 90_000),
  artists: [1, 2, 3].map((k) => ({
    id: Number(`${id}${k}`),
    name: `Artist ${k} of ${id}`,
    image_url: picture(id + k),
    code2: 'US',
  })),
  albums: [1, 2, 3, 4].map((k) => ({
    id: Number(`${id}${k}`),
    name: words(id + k, 3),
    label: words(k, 2),
  })),
  release_date: '2021-05-07T00:00:00.000Z',
  explicit: id % 2 === 0,
  score: (id % 1000) / 10,
  cm_statistics: counters(id, ['streams', 'plays', 'playlist_count', 'playlist_total_reach']),
})

export const album = (id) => ({
  id,
  cm_album: id,
  name: `Album ${words(id, 3)} ${id}`,
  upc: `0${100_000_000_000 + id}`,
  label: words(id, 2),
  release_date: '2021-05-07',
  description: words(id, 160),
  image_url: picture(id),
  artists: [1, 2].map((k) => ({
    cm_artist: Number(`${id}${k}`),
    name: `Artist ${k}`,
    image_url: null,
  })),
})

/** A hundred rows with sixty artists; another date shares no artist. */
export const chart = (date) => {
  const day = Math.floor(Date.parse(date) / 86_400_000) % 20_000
  return Array.from({ length: 100 }, (_, i) => ({
    id: String(1000 * day + i),
    name: words(i, 3),
    isrc: `USUM7${1_000_000 + i}`,
    image_url: picture(i),
    cm_track: 1000 * day + i + 2,
    cm_artist: [100_000_000 + day * 1000 + ((i * 7) % 60)],
    artist_names: [`Artist of row ${(i * 7) % 60}`],
    code2s: ['US'],
    artist_images: [picture(i)],
    artist_covers: [picture(i + 1)],
    rank: i + 1,
    code2: 'US',
    velocity: i / 7,
    pre_rank: i + 2,
    peak_rank: 1 + (i % 5),
    peak_date: '2024-05-07T00:00:00.000Z',
    time_on_chart: i * 3,
    rankStats: Array.from({ length: 14 }, (_, k) => ({
      rank: 1 + ((i + k) % 100),
      timestp: '2024-05-07T00:00:00.000Z',
    })),
  }))
}

export const playlist = (i) => ({
  position: i + 1,
  id: 5_000_000 + i,
  code2: 'US',
  playlist_id: String(900_000_000 + i),
  name: words(i, 4),
  image_url: picture(i),
  followers: i === 3 ? 5_123_456_789 : i * 311,
  last_updated: '2024-05-07T00:00:00.000Z',
  owner_name: words(i, 2),
  user_id: String(800_000_000 + i),
  editorial: i % 3 !== 0,
  fdiff_week: i - 900,
  genre: words(i, 5).replaceAll(' ', ','),
})
