import { Bars } from './bars.tsx'
import { type FragmentType, graphql, unmask } from './gql/index.ts'

const fragment = graphql(`
  fragment Listeners on Artist {
    statistics {
      platAWherePeopleListen {
        name
        countryCode
        listeners
      }
    }
  }
`)

const MOST = 8

export const Listeners = ({ artist }: { readonly artist: FragmentType<typeof fragment> }) => {
  const places = unmask(fragment, artist).statistics?.platAWherePeopleListen ?? []
  const bars = places
    .flatMap(({ name, countryCode, listeners }) =>
      listeners === null
        ? []
        : [{ name: [name, countryCode].filter(Boolean).join(', '), value: Number(listeners) }],
    )
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST)
  return (
    <section>
      <h2>Where people listen</h2>
      {bars.length === 0 ? (
        <p>The service does not say where people listen.</p>
      ) : (
        <Bars
          label="Listeners of a month on platA by city"
          unit="listeners of a month"
          bars={bars}
        />
      )}
    </section>
  )
}
