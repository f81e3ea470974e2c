import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { clock } from './figure.ts'
import type { Overview } from './overview.ts'

const MINUTE = 60_000
/** Widths of a bar, the narrowest first that keeps the picture readable. */
const WIDTHS = [1, 5, 15, 30]
const MOST_BARS = 60

type Minutes = Overview['overTime']

/** Gathers minutes into bars of one width; a bar without credits is there too, so that time runs evenly. */
export const barsOf = (minutes: Minutes) => {
  const moments = minutes.map(({ at }) => Date.parse(at))
  const first = Math.min(...moments)
  const last = Math.max(...moments)
  const width =
    MINUTE * (WIDTHS.find((minutes) => (last - first) / (minutes * MINUTE) < MOST_BARS) ?? 30)
  const begin = Math.floor(first / width) * width
  const bars = Array.from({ length: Math.floor((last - begin) / width) + 1 }, (_, at) => ({
    at: begin + at * width,
    spent: 0,
    saved: 0,
  }))
  for (const { at, spent, saved } of minutes) {
    const bar = bars[Math.floor((Date.parse(at) - begin) / width)]
    if (bar === undefined) continue
    bar.spent += spent
    bar.saved += saved
  }
  return { bars, minutes: width / MINUTE }
}

export const OverTime = ({ overTime }: { readonly overTime: Minutes }) => {
  const { bars, minutes } = barsOf(overTime)
  return (
    <section>
      <h2>Over time</h2>
      {overTime.length === 0 ? (
        <p>Nothing has been spent or saved yet.</p>
      ) : (
        <figure
          role="img"
          aria-label={`Credits spent and saved, by ${minutes === 1 ? 'minute' : `${minutes} minutes`}`}
        >
          <ResponsiveContainer>
            <BarChart data={bars} accessibilityLayer={false}>
              <CartesianGrid vertical={false} stroke="var(--edge)" />
              <XAxis dataKey="at" tickFormatter={clock} stroke="currentColor" minTickGap={40} />
              <YAxis allowDecimals={false} stroke="currentColor" width={56} />
              <Legend itemSorter={null} />
              <Bar
                dataKey="spent"
                stackId="credits"
                fill="var(--spent)"
                maxBarSize={48}
                isAnimationActive={false}
              />
              <Bar
                dataKey="saved"
                stackId="credits"
                fill="var(--saved)"
                maxBarSize={48}
                isAnimationActive={false}
              />
            </BarChart>
          </ResponsiveContainer>
        </figure>
      )}
    </section>
  )
}
