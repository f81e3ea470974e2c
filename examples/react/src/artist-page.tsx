import { useQuery } from 'urql'
import { Answer } from './answer.tsx'
import { ArtistHeader } from './artist-header.tsx'
import { Events } from './events.tsx'
import { graphql } from './gql/index.ts'
import { Listeners } from './listeners.tsx'
import { TopTracks } from './top-tracks.tsx'

const query = graphql(`
  query ArtistPage($cmId: Int!) {
    artist(cmId: $cmId) {
      ...ArtistHeader
      ...Listeners
      ...TopTracks
      ...Events
    }
  }
`)

export const ArtistPage = ({ cmId }: { readonly cmId: number }) => {
  const [result] = useQuery({ query, variables: { cmId } })
  return (
    <Answer result={result}>
      {({ artist }) =>
        artist === null ? (
          <h1>There is no such artist.</h1>
        ) : (
          <>
            <ArtistHeader artist={artist} />
            <Listeners artist={artist} />
            <TopTracks artist={artist} />
            <Events artist={artist} />
          </>
        )
      }
    </Answer>
  )
}
