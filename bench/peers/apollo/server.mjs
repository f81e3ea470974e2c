// Apollo Server with RESTDataSource (its HTTP cache with a life of its own, because the service names none), a DataLoader
// for each request, and the plugin that keeps whole answers. PORT, UPSTREAM.
import { RESTDataSource } from '@apollo/datasource-rest'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginCacheControl } from '@apollo/server/plugin/cacheControl'
import { startStandaloneServer } from '@apollo/server/standalone'
import responseCache from '@apollo/server-plugin-response-cache'
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache'
import DataLoader from 'dataloader'
import { renames, typeDefs } from '../schema.mjs'

const { PORT, UPSTREAM } = process.env
const LIFE_S = 600
const cache = new InMemoryLRUCache({ maxSize: 512 * 1024 * 1024 })

class Music extends RESTDataSource {
  baseURL = UPSTREAM
  willSendRequest(_path, request) {
    request.headers.authorization = 'Bearer a'
  }
  cacheOptionsFor() {
    return { ttl: LIFE_S }
  }
  async of(path, params) {
    return (await this.get(path, { params })).obj
  }
}

const server = new ApolloServer({
  typeDefs,
  cache,
  introspection: false,
  csrfPrevention: false,
  plugins: [
    ApolloServerPluginCacheControl({ defaultMaxAge: LIFE_S }),
    (responseCache.default ?? responseCache)(),
  ],
  resolvers: {
    ...renames,
    Query: {
      artist: (_, { id }, { artists }) => artists.load(id),
      track: (_, { id }, { music }) => music.of(`/api/track/${id}`),
      album: (_, { id }, { music }) => music.of(`/api/album/${id}`),
      chartPlatB: async (_, { countryCode, date }, { music }) =>
        (await music.of('/api/charts/platB', { country_code: countryCode, date })).data,
      playlistsPlatB: (_, { offset, limit, tagId }, { music }) =>
        music.of('/api/playlist/platB/lists', {
          offset: String(offset),
          limit: String(limit),
          'tagIds[]': String(tagId),
        }),
    },
    TrackArtist: { ...renames.TrackArtist, artist: ({ id }, _, { artists }) => artists.load(id) },
    ChartRow: {
      ...renames.ChartRow,
      artist: (row, _, { artists }) => artists.load(row.cm_artist[0]),
    },
  },
})
await startStandaloneServer(server, {
  listen: { port: Number(PORT), host: '127.0.0.1' },
  context: async () => {
    const music = new Music({ cache })
    const load = (ids) => Promise.all(ids.map((id) => music.of(`/api/artist/${id}`)))
    return { music, artists: new DataLoader(load) }
  },
})
