import { count } from './figure.ts'
import { type FragmentType, graphql, unmask } from './gql/index.ts'
import { Picture } from './picture.tsx'

const fragment = graphql(`
  fragment ArtistHeader on Artist {
    name
    imageUrl
    countryCode
    rank
    genres {
      primary {
        name
      }
    }
    statistics {
      platAFollowers
      platAMonthlyListeners
    }
  }
`)

export const ArtistHeader = (props: { readonly artist: FragmentType<typeof fragment> }) => {
  const artist = unmask(fragment, props.artist)
  const facts = [
    ['Country', artist.countryCode ?? 'unknown'],
    ['Genre', artist.genres?.primary?.name ?? 'unknown'],
    ['Rank', count(artist.rank)],
    ['Followers on platA', count(artist.statistics?.platAFollowers)],
    ['Listeners of a month', count(artist.statistics?.platAMonthlyListeners)],
  ]
  return (
    <>
      <div className="title">
        <Picture url={artist.imageUrl} name={artist.name ?? ''} />
        <h1>{artist.name ?? 'An artist without a name'}</h1>
      </div>
      <dl>
        {facts.map(([term, fact]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
