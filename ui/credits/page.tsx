import { Budgets } from './budgets.tsx'
import { Drift } from './drift.tsx'
import { Health } from './health.tsx'
import { OverTime } from './over-time.tsx'
import { type Overview, useOverview } from './overview.ts'
import { Scope } from './scope.tsx'
import { Sums } from './sums.tsx'
import { Uses } from './uses.tsx'

const bySpent = (replicas: Overview['replicas']) => [...replicas].sort((a, b) => b.spent - a.spent)

const Parts = ({ overview }: { readonly overview: Overview }) => (
  <>
    <Scope overview={overview} />
    <Sums overview={overview} />
    <Budgets budgets={overview.budgets} />
    <OverTime overTime={overview.overTime} />
    <div className="pair">
      <Uses title="By endpoint" uses={overview.byEndpoint} />
      <Uses title="By operation" uses={overview.byOperation} />
      <Uses title="By client" uses={overview.byClient} />
      {overview.replicas.length > 1 && (
        <Uses title="By process" uses={bySpent(overview.replicas)} />
      )}
    </div>
    <div className="pair">
      <Health health={overview.health} process={overview.process} />
      <Drift drift={overview.drift} />
    </div>
  </>
)

/** The operator's page: what credits go where, and whether all is well. */
export const Page = () => {
  const { overview, problem } = useOverview()
  return (
    <>
      <h1>Credits</h1>
      {problem && <p role="alert">These figures are not of now: {problem}.</p>}
      {overview === undefined ? <p>Asking the gateway…</p> : <Parts overview={overview} />}
    </>
  )
}
