import { Bars } from './bars.tsx'
import { type FragmentType, graphql, unmask } from './gql/index.ts'

const fragment = graphql(`
  fragment TopTracks on Artist {
    tracks(first: 8, orderBy: { field: PLAT_A_PLAYS, direction: DESC }) {
      nodes {
        track {
          name
        }
        latest {
          platAPlays
        }
      }
    }
  }
`)

export const TopTracks = ({ artist }: { readonly artist: FragmentType<typeof fragment> }) => {
  const rows = unmask(fragment, artist).tracks?.nodes ?? []
  const bars = rows.flatMap(({ track, latest }) =>
    typeof latest?.platAPlays === 'number'
      ? [{ name: track?.name ?? 'without a name', value: latest.platAPlays }]
      : [],
  )
  return (
    <section>
      <h2>Most played tracks</h2>
      {bars.length === 0 ? (
        <p>No plays are known.</p>
      ) : (
        <Bars label="Plays on platA by track" unit="plays on platA" bars={bars} />
      )}
    </section>
  )
}
