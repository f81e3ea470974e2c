import { Budgets } from './budgets.tsx'
import { Drift } from './drift.tsx'
import { when } from './figure.ts'
import { Health } from './health.tsx'
import { OverTime } from './over-time.tsx'
import { type Overview, useOverview } from './overview.ts'
import { Sums } from './sums.tsx'
import { Uses } from './uses.tsx'

const Parts = ({ overview }: { readonly overview: Overview }) => (
  <>
    <p>Since {when(overview.since)}, when this process began.</p>
    <Sums overview={overview} />
    <Budgets budgets={overview.budgets} />
    <OverTime overTime={overview.overTime} />
    <div className="pair">
      <Uses title="By endpoint" uses={overview.byEndpoint} />
      <Uses title="By operation" uses={overview.byOperation} />
      <Uses title="By client" uses={overview.byClient} />
    </div>
    <div className="pair">
      <Health health={overview.health} />
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
