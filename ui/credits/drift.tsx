import { Table } from '../table.tsx'
import { count } from './figure.ts'
import type { Overview } from './overview.ts'

const MOST = 12

/** Values of the service that could not be read as its documentation has them. */
export const Drift = ({ drift }: Pick<Overview, 'drift'>) => (
  <section>
    <h2>Drift</h2>
    {drift.length === 0 ? (
      <p>Every value came as the service documents it.</p>
    ) : (
      <Table
        caption={
          drift.length > MOST
            ? `The ${MOST} most frequent of ${count(drift.length)} fields`
            : 'Most frequent first'
        }
        heads={['Field', 'Times']}
        rows={drift.slice(0, MOST).map(({ field, count: times }) => [field, count(times)])}
      />
    )}
  </section>
)
