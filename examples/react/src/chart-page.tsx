import { useQuery } from 'urql'
import { Answer } from './answer.tsx'
import { ChartRow } from './chart-row.tsx'
import { graphql } from './gql/index.ts'
import { RankHistory } from './rank-history.tsx'

const query = graphql(`
  query ChartPage($country: CountryCode!) {
    charts {
      platB(countryCode: $country, first: 20) {
        nodes {
          rank
          ...ChartRow
          ...RankHistory
        }
      }
    }
  }
`)

const MOST_LINES = 5

export const ChartPage = () => {
  const [result] = useQuery({ query, variables: { country: 'DE' } })
  return (
    <>
      <h1>Chart of platB in Germany</h1>
      <Answer result={result}>
        {({ charts }) => {
          const entries = charts.platB?.nodes ?? []
          if (entries.length === 0) return <p>No chart has come out.</p>
          return (
            <>
              <RankHistory entries={entries.slice(0, MOST_LINES)} />
              <ol className="rows">
                {entries.map((entry) => (
                  <ChartRow key={entry.rank} entry={entry} />
                ))}
              </ol>
            </>
          )
        }}
      </Answer>
    </>
  )
}
