import { when } from './figure.ts'
import type { Overview } from './overview.ts'

/** Whose figures the page shows, and of when. */
export const Scope = ({ overview }: { readonly overview: Overview }) => {
  const { since, replicas, isWhole } = overview
  const of =
    replicas.length === 1
      ? 'when this process began'
      : `of ${replicas.length} processes, with those that ended in the last day; figures of the others are up to ten seconds old`
  return (
    <>
      <p>
        Since {when(since)}, {of}.
      </p>
      {!isWhole && (
        <p role="alert">
          Redis is away: what other processes spent since then is not in these figures.
        </p>
      )}
    </>
  )
}
