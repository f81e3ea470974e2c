import { count, when } from './figure.ts'
import type { Budget } from './overview.ts'

const NAMES: Readonly<Record<string, string>> = { DAY: 'This day', MONTH: 'This month' }

const forecast = ({ client, remaining, endsAt, resetsAt }: Budget): string => {
  if (remaining === 0) return `It is spent until ${when(resetsAt)}; what is held is still served.`
  if (client !== null) return `It starts anew on ${when(resetsAt)}.`
  if (endsAt !== null)
    return `At the pace of the last hour it is spent on ${when(endsAt)}, before it starts anew on ${when(resetsAt)}.`
  return `At the pace of the last hour it lasts until it starts anew on ${when(resetsAt)}.`
}

export const Budgets = ({ budgets }: { readonly budgets: readonly Budget[] }) => (
  <section>
    <h2>Budgets</h2>
    {budgets.length === 0 && <p>None is set: CREDITS_PER_DAY and CREDITS_PER_MONTH set one.</p>}
    {budgets.map((budget) => {
      const { period, client, limit, remaining } = budget
      const name = `${NAMES[period] ?? period}${client === null ? '' : `, ${client}`}`
      return (
        <div key={name} className="budget">
          <p>
            {name}: {count(limit - remaining)} of {count(limit)} credits spent, {count(remaining)}{' '}
            left
          </p>
          <meter
            aria-label={`${name}, credits spent`}
            max={limit}
            optimum={0}
            low={limit * 0.7}
            high={limit * 0.9}
            value={limit - remaining}
          />
          <p>{forecast(budget)}</p>
        </div>
      )
    })}
  </section>
)
