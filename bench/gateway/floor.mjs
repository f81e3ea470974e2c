// What plain Node can do. MODE=bytes: finished bytes from memory. MODE=undici: the same requests, parsed and projected by
// hand, nothing kept. PORT, UPSTREAM.
import { createServer } from 'node:http'
import { Pool } from 'undici'

const { MODE, PORT, UPSTREAM } = process.env
const pool = new Pool(UPSTREAM, { connections: 64 })
const headers = { accept: 'application/json', authorization: 'Bearer a' }
const get = async (path) => {
  const { body } = await pool.request({ path, method: 'GET', headers })
  return (await body.json()).obj
}
const named = ({ name }) => ({ name })
const genres = ({ primary, secondary }) => ({
  primary: named(primary),
  secondary: secondary.map(named),
})
const credit = (artist) => ({ cmId: artist.id, name: artist.name, imageUrl: artist.image_url })

const artist = async (id) => {
  const row = await get(`/api/artist/${id}`)
  const { stage, trend } = row.career_status
  return {
    cmId: row.id,
    name: row.name,
    countryCode: row.code2,
    imageUrl: row.image_url,
    rank: row.cm_artist_rank,
    score: row.cm_artist_score,
    genres: genres(row.genres),
    careerStatus: { stage, trend },
    statistics: {
      platAFollowers: row.cm_statistics.sp_followers,
      platAMonthlyListeners: row.cm_statistics.sp_monthly_listeners,
    },
  }
}
const chart = async ({ date }) => {
  const { data } = await get(`/api/charts/platB?country_code=US&date=${date}`)
  const artists = new Map()
  for (const row of data)
    if (!artists.has(row.cm_artist[0])) artists.set(row.cm_artist[0], artist(row.cm_artist[0]))
  const nodes = data.map(async ({ rank, name, artist_names: [credited], cm_artist: [id] }) => {
    const { name: own, score, genres: its, careerStatus } = await artists.get(id)
    const { stage } = careerStatus
    return {
      rank,
      name,
      artistCredits: [
        { name: credited, artist: { name: own, score, genres: its, careerStatus: { stage } } },
      ],
    }
  })
  return { charts: { platB: { nodes: await Promise.all(nodes) } } }
}
const track = async ({ id }) => {
  const { name, artists } = await get(`/api/track/${id}`)
  return { track: { name, artists: artists.map(credit) } }
}
const three = async ({ id }) => {
  const [own, song, record] = await Promise.all([
    artist(id),
    get(`/api/track/${id}`),
    get(`/api/album/${id}`),
  ])
  return {
    artist: own,
    track: {
      name: song.name,
      isrc: song.isrc,
      durationMs: song.duration_ms,
      artists: song.artists.map(credit),
      albumCredits: song.albums.map(({ name, label }) => ({ name, label })),
    },
    album: {
      name: record.name,
      label: record.label,
      upc: record.upc,
      artists: record.artists.map(({ cm_artist: cmId, name }) => ({ cmId, name })),
    },
  }
}
const playlists = async ({ tag, offset }) => ({
  nodes: (await get(`/api/playlist/platB/lists?limit=50&offset=${offset}&tagIds[]=${tag}`)).map(
    (row) => ({
      cmId: String(row.id),
      name: row.name,
      followers: row.followers,
      ownerName: row.owner_name,
      isEditorial: row.editorial,
      lastUpdated: row.last_updated,
    }),
  ),
})
const linked = async ({ id }) => {
  const { name, artists } = await get(`/api/track/${id}`)
  return {
    track: {
      name,
      artists: await Promise.all(artists.map((one) => get(`/api/artist/${one.id}`).then(credit))),
    },
  }
}
const OPERATIONS = {
  W1: async ({ id }) => ({ artist: await artist(id) }),
  W2cold: chart,
  W2hot: chart,
  W3: three,
  W4: playlists,
  W5: track,
  W5link: linked,
}

const finished = new Map()
createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', async () => {
    const workload = request.url.slice(1)
    const { variables } = JSON.parse(Buffer.concat(chunks))
    const made = async () =>
      Buffer.from(JSON.stringify({ data: await OPERATIONS[workload](variables) }))
    if (MODE === 'bytes' && !finished.has(workload)) finished.set(workload, await made())
    const body = MODE === 'bytes' ? finished.get(workload) : await made()
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
}).listen(Number(PORT), '127.0.0.1')
