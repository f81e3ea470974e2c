// The API as a team would write it by hand for the peers: one SDL, and resolvers that rename. Links are each peer's own.
export const typeDefs = `
  type Query {
    artist(id: Int!): Artist
    track(id: Int!): Track
    album(id: Int!): Album
    chartPlatB(countryCode: String!, date: String!): [ChartRow!]
    playlistsPlatB(offset: Int!, limit: Int!, tagId: Int!): [Playlist!]
  }
  type Genre { id: Int name: String type: String }
  type Genres { primary: Genre secondary: [Genre!] sub: [Genre!] }
  type CareerStatus { stage: String trend: String }
  type Statistics { followers: Int monthlyListeners: Int }
  type Artist {
    id: Int! name: String code2: String imageUrl: String rank: Int score: Float
    genres: Genres careerStatus: CareerStatus statistics: Statistics
  }
  type TrackArtist { id: Int! name: String imageUrl: String artist: Artist }
  type TrackAlbum { id: Float! name: String label: String }
  type Track {
    id: Int! name: String isrc: String durationMs: Int releaseDate: String explicit: Boolean
    artists: [TrackArtist!] albums: [TrackAlbum!]
  }
  type AlbumArtist { id: Int! name: String }
  type Album { id: Int name: String upc: String label: String releaseDate: String artists: [AlbumArtist!] }
  type ChartRow { rank: Int name: String artistNames: [String!] artist: Artist }
  type Playlist { id: Int! name: String followers: Float ownerName: String editorial: Boolean lastUpdated: String }
`

export const renames = {
  Artist: {
    imageUrl: (row) => row.image_url,
    rank: (row) => row.cm_artist_rank,
    score: (row) => row.cm_artist_score,
    careerStatus: (row) => row.career_status,
    statistics: (row) => row.cm_statistics,
  },
  Statistics: {
    followers: (row) => row.sp_followers,
    monthlyListeners: (row) => row.sp_monthly_listeners,
  },
  TrackArtist: { imageUrl: (row) => row.image_url },
  Track: { durationMs: (row) => row.duration_ms, releaseDate: (row) => row.release_date },
  AlbumArtist: { id: (row) => row.cm_artist },
  Album: { releaseDate: (row) => row.release_date },
  ChartRow: { artistNames: (row) => row.artist_names },
  Playlist: { ownerName: (row) => row.owner_name, lastUpdated: (row) => row.last_updated },
}
