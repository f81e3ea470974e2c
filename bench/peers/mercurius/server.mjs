// Mercurius with JIT, its loaders (one batch for each tick and field) and its cache on every field that is fetched. PORT, UPSTREAM.
import Fastify from 'fastify'
import mercurius from 'mercurius'
import cache from 'mercurius-cache'
import { Pool } from 'undici'
import { renames, typeDefs } from '../schema.mjs'

const { PORT, UPSTREAM } = process.env
const pool = new Pool(UPSTREAM, { connections: 64 })
const headers = { accept: 'application/json', authorization: 'Bearer a' }
const get = async (path) => {
  const { body } = await pool.request({ path, method: 'GET', headers })
  return (await body.json()).obj
}
const artist = (id) => get(`/api/artist/${id}`)

/** Mercurius does not see that two objects mean the same artist. */
const link = (idOf) => (queries) => {
  const found = new Map()
  for (const { obj } of queries) {
    const id = idOf(obj)
    if (!found.has(id)) found.set(id, artist(id))
  }
  return Promise.all(queries.map(({ obj }) => found.get(idOf(obj))))
}

const app = Fastify()
app.register(mercurius, {
  schema: typeDefs,
  jit: 1,
  resolvers: {
    ...renames,
    Query: {
      artist: (_, { id }) => artist(id),
      track: (_, { id }) => get(`/api/track/${id}`),
      album: (_, { id }) => get(`/api/album/${id}`),
      chartPlatB: async (_, { countryCode, date }) =>
        (await get(`/api/charts/platB?country_code=${countryCode}&date=${date}`)).data,
      playlistsPlatB: (_, { offset, limit, tagId }) =>
        get(`/api/playlist/platB/lists?limit=${limit}&offset=${offset}&tagIds[]=${tagId}`),
    },
  },
  loaders: {
    TrackArtist: { artist: link(({ id }) => id) },
    ChartRow: { artist: link((row) => row.cm_artist[0]) },
  },
})
// What is kept are whole records, so that a key is the arguments and nothing else.
const byArgs = { key: ({ arg }) => JSON.stringify(arg) }
app.register(cache, {
  ttl: 600,
  storage: { type: 'memory', options: { size: 10_000 } },
  policy: {
    Query: {
      artist: byArgs,
      track: byArgs,
      album: byArgs,
      chartPlatB: byArgs,
      playlistsPlatB: byArgs,
    },
    TrackArtist: { artist: { key: ({ self }) => String(self.id) } },
    ChartRow: { artist: { key: ({ self }) => String(self.cm_artist[0]) } },
  },
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
