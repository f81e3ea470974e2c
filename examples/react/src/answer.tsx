import type { ReactNode } from 'react'
import type { CombinedError } from 'urql'

interface Result<Data> {
  readonly data?: Data | undefined
  readonly error?: CombinedError | undefined
  readonly fetching: boolean
}

/** Shows what came, and says in words what did not: a part may fail while the rest stands. */
export const Answer = <Data,>({
  result: { data, error, fetching },
  children,
}: {
  readonly result: Result<Data>
  readonly children: (data: Data) => ReactNode
}) => (
  <>
    {error?.networkError && <p role="alert">The gateway cannot be reached. Is it running?</p>}
    {error?.graphQLErrors.map(({ message, path = [] }) => (
      <p role="alert" key={path.join('.') + message}>
        {message}
      </p>
    ))}
    {fetching && !data && <p>Loading…</p>}
    {data && children(data)}
  </>
)
