import { type FragmentType, graphql, unmask } from './gql/index.ts'
import { Picture } from './picture.tsx'
import { hrefOf } from './place.ts'

const fragment = graphql(`
  fragment ChartRow on PlatBChartEntry {
    rank
    previousRank
    name
    imageUrl
    artistCredits {
      name
      artist {
        cmId
      }
    }
  }
`)

const move = (rank: number | null, before: number | null): string => {
  if (rank === null || before === null) return 'new'
  if (rank === before) return 'as before'
  return rank < before ? `up ${before - rank}` : `down ${rank - before}`
}

export const ChartRow = (props: { readonly entry: FragmentType<typeof fragment> }) => {
  const entry = unmask(fragment, props.entry)
  return (
    <li className="row">
      <Picture url={entry.imageUrl} name={entry.name ?? ''} />
      <span>
        {entry.rank}. {entry.name}
        <small>
          {entry.artistCredits.map(({ name, artist }) =>
            artist === null ? (
              <span key={name}>{name}</span>
            ) : (
              <a key={artist.cmId} href={hrefOf('artist', artist.cmId)}>
                {name}
              </a>
            ),
          )}
        </small>
      </span>
      <span>{move(entry.rank, entry.previousRank)}</span>
    </li>
  )
}
