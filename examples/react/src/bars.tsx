import { Bar, BarChart, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { brief } from './figure.ts'

export interface BarOf {
  readonly name: string
  readonly value: number
}

interface Props {
  /** What the picture shows, for those who do not see it. */
  readonly label: string
  readonly unit: string
  readonly bars: readonly BarOf[]
}

export const Bars = ({ label, unit, bars }: Props) => (
  <figure role="img" aria-label={label} style={{ height: 48 + bars.length * 34 }}>
    <ResponsiveContainer>
      <BarChart
        layout="vertical"
        data={[...bars]}
        margin={{ top: 5, right: 48, bottom: 5 }}
        accessibilityLayer={false}
      >
        <XAxis
          type="number"
          tickFormatter={brief}
          stroke="currentColor"
          label={{ value: unit, position: 'insideBottom', offset: -2, fill: 'currentColor' }}
          height={44}
        />
        <YAxis type="category" dataKey="name" width={150} stroke="currentColor" />
        <Bar
          dataKey="value"
          fill="var(--accent)"
          isAnimationActive={false}
          label={{
            position: 'right',
            formatter: (value) => brief(Number(value)),
            fill: 'currentColor',
          }}
        />
      </BarChart>
    </ResponsiveContainer>
  </figure>
)
