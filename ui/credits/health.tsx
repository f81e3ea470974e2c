import { count, when } from './figure.ts'
import type { Health as Facts } from './overview.ts'

const TOKENS: Readonly<Record<string, string>> = {
  VALID: 'valid',
  REFRESHING: 'valid, being renewed',
  REJECTED: 'refused',
}

interface Props {
  readonly health: Facts
  /** The process that sees it so. */
  readonly process: string
}

export const Health = ({ health, process }: Props) => {
  const { token, problem, load, pausedUntil, leftAlone, requests, cacheBytes } = health
  const facts = [
    ['As seen by', process],
    ['Token', TOKENS[token] ?? token.toLowerCase()],
    ['Pause', pausedUntil === null ? 'none' : `until ${when(pausedUntil)}`],
    ['Left alone', leftAlone.length === 0 ? 'nothing' : leftAlone.join(', ')],
    ['Requests', `${count(requests.running)} running, ${count(requests.waiting)} waiting`],
    ['Load', load.toLowerCase()],
    ['Held in memory', `${count(Math.round(cacheBytes / 1024))} kB`],
  ] as const
  return (
    <section>
      <h2>The service</h2>
      {problem !== null && <p role="alert">{problem}</p>}
      <dl className="facts">
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
