import { Table } from '../table.tsx'
import type { Answer, Call } from './credits.ts'
import { useForecast } from './forecast.ts'
import { Problem } from './problem.tsx'

const STATES: Readonly<Record<Call['state'], string>> = {
  hit: 'held',
  stale: 'held, being renewed',
  pending: 'on its way',
  miss: 'to be sent',
  refused: 'not for this client',
  open: 'depends on answers',
}

const isHeld = ({ state }: Call) => state === 'hit' || state === 'stale'

const countOf = ({ count, most }: Call) =>
  most === undefined ? count : `${count}, at most ${most}`

const held = (calls: readonly Call[]): string => {
  const certain = calls.filter(({ state }) => state !== 'open').length
  const among = calls.filter(isHeld).length
  if (certain === 0) return 'No request is certain.'
  if (among === 0) return 'None of its requests is held.'
  if (among === certain) return 'All that is certain is held and costs nothing.'
  return `${among} of ${certain} requests are held and cost nothing.`
}

const Plan = ({ answer }: { readonly answer: Answer }) => {
  const plan = answer.extensions?.creditPlan
  if (plan === undefined) return <Problem answer={answer} />
  return (
    <>
      <dl className="refrain-price">
        {(['min', 'likely', 'max'] as const).map((bound) => (
          <div key={bound}>
            <dt>{bound}</dt>
            <dd>{plan[bound]}</dd>
          </div>
        ))}
      </dl>
      {plan.limit !== undefined && <p>Its limit of {plan.limit} is below min: it is refused.</p>}
      {plan.calls.length === 0 ? (
        <p>It needs no request.</p>
      ) : (
        <>
          <p>{held(plan.calls)}</p>
          <Table
            caption="Requests it needs"
            heads={['Endpoint', 'State', 'Requests', 'Credits each']}
            rows={plan.calls.map((call) => [
              <>
                {call.endpoint}
                <small>{call.path}</small>
              </>,
              STATES[call.state],
              countOf(call),
              isHeld(call) || call.state === 'refused' ? 0 : call.credits,
            ])}
          />
        </>
      )}
    </>
  )
}

/** What the operation in the editor would cost, as things stand. */
export const Price = () => {
  const answer = useForecast()
  return answer === undefined ? <p>Asking for the price…</p> : <Plan answer={answer} />
}
