import { Table } from '../table.tsx'
import { count, percent } from './figure.ts'
import type { Use } from './overview.ts'

const MOST = 12

interface Props {
  readonly title: string
  /** Greatest spender first. */
  readonly uses: readonly Use[]
}

export const Uses = ({ title, uses }: Props) => (
  <section>
    <h2>{title}</h2>
    {uses.length === 0 ? (
      <p>None has spent or saved anything yet.</p>
    ) : (
      <Table
        caption={
          uses.length > MOST
            ? `The first ${MOST} of ${count(uses.length)}, greatest spender first`
            : 'Greatest spender first'
        }
        heads={['Name', 'Spent', 'Saved', 'Hit ratio']}
        rows={uses
          .slice(0, MOST)
          .map(({ name, spent, saved }) => [
            name,
            count(spent),
            count(saved),
            percent(saved, spent + saved),
          ])}
      />
    )}
  </section>
)
