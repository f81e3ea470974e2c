import { Legend, Line, LineChart, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { day } from './figure.ts'
import { type FragmentType, graphql, unmask } from './gql/index.ts'

const fragment = graphql(`
  fragment RankHistory on PlatBChartEntry {
    name
    rankHistory {
      date
      rank
    }
  }
`)

const TICKS = [1, 5, 10, 15, 20, 30, 40, 50, 75, 100]

type Point = Readonly<Record<string, number | string>>

/** Ranks by day, one column for each entry. */
const pointsOf = (
  entries: readonly {
    name: string | null
    rankHistory: readonly { date: string | null; rank: number | null }[]
  }[],
): Point[] => {
  const byDay = new Map<string, Point>()
  for (const { name, rankHistory } of entries)
    for (const { date, rank } of rankHistory)
      if (name !== null && date !== null && rank !== null)
        byDay.set(date, { ...byDay.get(date), date, [name]: rank })
  return [...byDay.values()].sort((a, b) => String(a.date).localeCompare(String(b.date)))
}

export const RankHistory = (props: {
  readonly entries: readonly FragmentType<typeof fragment>[]
}) => {
  const entries = unmask(fragment, props.entries)
  const points = pointsOf(entries)
  const worst = Math.max(
    ...entries.flatMap(({ rankHistory }) => rankHistory.map(({ rank }) => rank ?? 1)),
  )
  if (points.length === 0) return <p>Earlier ranks are not known.</p>
  return (
    <figure
      role="img"
      aria-label={`Ranks by day of the first ${entries.length} entries`}
      style={{ height: 320 }}
    >
      <ResponsiveContainer>
        <LineChart data={points} margin={{ top: 12 }} accessibilityLayer={false}>
          <XAxis dataKey="date" tickFormatter={day} stroke="currentColor" minTickGap={40} />
          <YAxis
            reversed
            allowDecimals={false}
            domain={[1, 'dataMax']}
            ticks={TICKS.filter((rank) => rank <= worst)}
            interval={0}
            stroke="currentColor"
            width={40}
          />
          <Legend itemSorter={null} />
          {entries.map(({ name }, at) => (
            <Line
              key={name}
              dataKey={name ?? ''}
              stroke={`var(--line-${at + 1})`}
              strokeWidth={2}
              connectNulls
              dot={points.length === 1}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </figure>
  )
}
