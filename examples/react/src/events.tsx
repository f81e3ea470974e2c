import { day } from './figure.ts'
import { type FragmentType, graphql, unmask } from './gql/index.ts'

const fragment = graphql(`
  fragment Events on Artist {
    events(status: CURRENT, fromDaysAgo: 0, toDaysAgo: -180, first: 5) {
      nodes {
        id
        name
        startDate
        city {
          name
        }
      }
    }
  }
`)

export const Events = ({ artist }: { readonly artist: FragmentType<typeof fragment> }) => {
  const events = unmask(fragment, artist).events?.nodes ?? []
  return (
    <section>
      <h2>Coming events</h2>
      {events.length === 0 ? (
        <p>None in the next 180 days.</p>
      ) : (
        <ul>
          {events.map(({ id, name, startDate, city }) => (
            <li key={id}>
              {day(startDate)}: {[name, city?.name].filter(Boolean).join(', ')}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
