import { readFileSync } from 'node:fs'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'

const ARTISTS = [2, 3, 4, 5, 6, 7, 8, 9]
const VENUES = ['1', '2', '3', '4', '9']
const at = (list, number) => list[number % list.length]

const shows = Array.from({ length: 200 }, (_, number) => ({
  number,
  day: `2026-12-${String(1 + (number % 28)).padStart(2, '0')}`,
  price: 20 + (number % 7),
  artist: { __typename: 'Artist', cmId: at(ARTISTS, number) },
  venue: { __typename: 'Venue', cmId: at(VENUES, number) },
}))

const schema = buildSubgraphSchema({
  typeDefs: parse(readFileSync('tickets.graphql', 'utf8')),
  resolvers: {
    Query: { shows: () => shows },
    Show: { __resolveReference: ({ number }) => shows[number] },
    Artist: {
      shows: ({ cmId }) =>
        shows.slice(0, 4).map((show) => ({
          ...show,
          artist: { __typename: 'Artist', cmId: Number(cmId) },
        })),
    },
    Venue: { boxOffice: ({ cmId }) => `+1 555 01${cmId.padStart(2, '0')}` },
  },
})

await startStandaloneServer(new ApolloServer({ schema }), {
  listen: { host: '127.0.0.1', port: Number(process.env.PORT) },
})
