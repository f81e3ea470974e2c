import { count, percent } from './figure.ts'
import type { Overview } from './overview.ts'

/** The figures to look at first. */
export const Sums = ({ overview }: { readonly overview: Overview }) => {
  const { spent, backgroundSpent, saved, perHour, savedBy } = overview
  const figures = [
    ['Spent', count(spent), `${count(backgroundSpent)} of them by no operation`],
    ['Saved', count(saved), 'credits of requests that were not needed'],
    ['Hit ratio', percent(saved, spent + saved), 'of what was needed was had without a request'],
    ['In the last hour', count(perHour), 'credits spent'],
  ] as const
  return (
    <>
      <dl className="figures">
        {figures.map(([name, figure, about]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
            <dd className="about">{about}</dd>
          </div>
        ))}
      </dl>
      <p>
        Saved by{' '}
        {Object.entries(savedBy)
          .map(([name, credits]) => `${name} ${count(credits)}`)
          .join(', ')}
        .
      </p>
    </>
  )
}
