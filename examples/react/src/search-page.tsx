import { useQuery } from 'urql'
import { Answer } from './answer.tsx'
import { ArtistRow } from './artist-row.tsx'
import { graphql } from './gql/index.ts'
import { hrefOf } from './place.ts'

const query = graphql(`
  query Search($text: String!) {
    search(query: $text) {
      artists(first: 10) {
        edges {
          platAFollowers
          node {
            cmId
            ...ArtistRow
          }
        }
      }
    }
  }
`)

/** A search is asked for when it is sent, not with each letter: each one costs a credit. */
const Form = ({ text }: { readonly text: string }) => (
  <search>
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = new FormData(event.currentTarget).get('text')
        location.hash = hrefOf('search', String(wanted).trim())
      }}
    >
      <label>
        Artist <input name="text" type="search" defaultValue={text} required />
      </label>
      <button type="submit">Search</button>
    </form>
  </search>
)

const Found = ({ text }: { readonly text: string }) => {
  const [result] = useQuery({ query, variables: { text } })
  return (
    <Answer result={result}>
      {({ search }) => {
        const edges = search.artists?.edges ?? []
        if (edges.length === 0) return <p>No artist is called anything like “{text}”.</p>
        return (
          <ul className="rows">
            {edges.map(({ platAFollowers, node }) => (
              <ArtistRow key={node.cmId} artist={node} followers={platAFollowers} />
            ))}
          </ul>
        )
      }}
    </Answer>
  )
}

export const SearchPage = ({ text }: { readonly text: string }) => (
  <>
    <h1>Search</h1>
    <Form text={text} />
    {text === '' ? <p>Write a name, for instance “river”.</p> : <Found text={text} />}
  </>
)
