import { useSyncExternalStore } from 'react'
import { Table } from '../table.tsx'
import { type Credits, lastRun, type StalePart } from './credits.ts'
import { Problem } from './problem.tsx'

/** Why a request was not sent. */
const REASONS: Readonly<Record<string, string>> = {
  hydrated: 'a row had told it',
  window: 'the page had been bought before',
  batched: 'ids went out together',
  cache: 'the answer was held',
  merged: 'the same was on its way',
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const

const ageOf = (seconds: number): string => {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ['s', 1]
  return `${Math.floor(seconds / size)} ${unit}`
}

const Stale = ({ parts }: { readonly parts: readonly StalePart[] }) => (
  <Table
    caption="Past their freshness"
    heads={['Part', 'Age', 'Because']}
    rows={parts.map(({ path, age, reason }) => [path.join('.'), ageOf(age), reason])}
  />
)

const Sums = ({ credits }: { readonly credits: Credits }) => {
  const { spent, saved, savedBy, requests = [], stale = [] } = credits
  const savings = Object.entries(savedBy).filter(([, count]) => count > 0)
  return (
    <>
      <p>
        {spent} spent, {saved} saved
      </p>
      {requests.length > 0 && (
        <Table
          caption="Requests by endpoint"
          heads={['Endpoint', 'State', 'Credits']}
          rows={requests.map((entry) => [
            entry.endpoint,
            entry.state === 'sent' ? 'sent' : `spared: ${entry.state}`,
            entry.credits,
          ])}
        />
      )}
      {savings.length > 0 && (
        <Table
          caption="Saved by"
          heads={['Mechanism', 'Because', 'Credits']}
          rows={savings.map(([name, count]) => [name, REASONS[name] ?? '', count])}
        />
      )}
      {stale.length > 0 && <Stale parts={stale} />}
    </>
  )
}

/** What the last run cost and spared. */
export const Receipt = () => {
  const run = useSyncExternalStore(lastRun.follow, lastRun.read)
  if (run === undefined) return <p>Nothing has been run yet.</p>
  const credits = run.answer.extensions?.credits
  return (
    <>
      <p>{run.name}</p>
      {credits === undefined ? <Problem answer={run.answer} /> : <Sums credits={credits} />}
    </>
  )
}
