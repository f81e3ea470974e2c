// Tailcall without its cache (the faster of the two). Its binary needs glibc 2.39; TAILCALL_LOADER is the loader of one,
// with its arguments, on a machine whose own is older. It cannot index a list in a template, so the stub reads
// /api/artist/[a,b] as artist a; nor can it mint tokens.
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BINARY = 'node_modules/@tailcallhq/core-linux-x64-gnu/bin/tailcall'
const httpOf =
  (upstream) =>
  (path, query = '') =>
    `@http(url: "${upstream}${path}", ${query}headers: [{key: "authorization", value: "Bearer a"}], dedupe: true)`
const args = (pairs) =>
  `query: [${Object.entries(pairs)
    .map(([key, name]) => `{key: "${key}", value: "{{.args.${name}}}"}`)
    .join(', ')}], `
const as = (wire, type, name) => `${wire}: ${type} @modify(name: "${name}")`

const configOf = (port, upstream) => {
  const http = httpOf(upstream)
  return `
schema @server(port: ${port}, hostname: "127.0.0.1", queryValidation: false, responseValidation: false)
  @upstream(poolMaxIdlePerHost: 256, keepAliveWhileIdle: true) { query: Query }
type Query {
  artist(id: Int!): ArtistAnswer ${http('/api/artist/{{.args.id}}')}
  track(id: Int!): TrackAnswer ${http('/api/track/{{.args.id}}')}
  album(id: Int!): AlbumAnswer ${http('/api/album/{{.args.id}}')}
  chartPlatB(countryCode: String!, date: String!): ChartAnswer ${http('/api/charts/platB', args({ country_code: 'countryCode', date: 'date' }))}
  playlistsPlatB(offset: Int!, limit: Int!, tagId: Int!): PlaylistsAnswer ${http('/api/playlist/platB/lists', args({ offset: 'offset', limit: 'limit', 'tagIds[]': 'tagId' }))}
}
type ArtistAnswer { obj: Artist }
type TrackAnswer { obj: Track }
type AlbumAnswer { obj: Album }
type Chart { data: [ChartRow] }
type ChartAnswer { obj: Chart }
type PlaylistsAnswer { obj: [Playlist] }
type Genre { id: Int name: String type: String }
type Genres { primary: Genre secondary: [Genre] sub: [Genre] }
type CareerStatus { stage: String trend: String }
type Statistics { ${as('sp_followers', 'Int', 'followers')} ${as('sp_monthly_listeners', 'Int', 'monthlyListeners')} }
type Artist {
  id: Int! name: String code2: String ${as('image_url', 'String', 'imageUrl')}
  ${as('cm_artist_rank', 'Int', 'rank')} ${as('cm_artist_score', 'Float', 'score')} genres: Genres
  ${as('career_status', 'CareerStatus', 'careerStatus')} ${as('cm_statistics', 'Statistics', 'statistics')}
}
type TrackArtist { id: Int! name: String ${as('image_url', 'String', 'imageUrl')} artist: ArtistAnswer ${http('/api/artist/{{.value.id}}')} }
type TrackAlbum { name: String label: String }
type Track {
  id: Int! name: String isrc: String ${as('duration_ms', 'Int', 'durationMs')}
  ${as('release_date', 'String', 'releaseDate')} explicit: Boolean artists: [TrackArtist] albums: [TrackAlbum]
}
type AlbumArtist { ${as('cm_artist', 'Int!', 'id')} name: String }
type Album { id: Int name: String upc: String label: String ${as('release_date', 'String', 'releaseDate')} artists: [AlbumArtist] }
type ChartRow {
  cm_artist: [Int!]! rank: Int name: String ${as('artist_names', '[String]', 'artistNames')}
  artist: ArtistAnswer ${http('/api/artist/{{.value.cm_artist}}')}
}
type Playlist {
  id: Int! name: String followers: Float ${as('owner_name', 'String', 'ownerName')} editorial: Boolean
  ${as('last_updated', 'String', 'lastUpdated')}
}
`
}

/** The command that serves `upstream` on a port. */
export const tailcall = (PORT, UPSTREAM) => {
  const file = join(tmpdir(), `refrain-bench-tailcall-${PORT}.graphql`)
  writeFileSync(file, configOf(PORT, UPSTREAM))
  const loader = process.env.TAILCALL_LOADER?.split(' ') ?? []
  return [...loader, new URL(BINARY, import.meta.url).pathname, 'start', file]
}
