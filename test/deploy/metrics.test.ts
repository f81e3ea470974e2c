import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createAdminServer } from '../../src/server/admin.ts'
import { run } from '../support/run.ts'

const RULES = readFileSync('deploy/prometheus/rules.yml', 'utf8')
const DASHBOARD = readFileSync('deploy/grafana/refrain.json', 'utf8')

/** What histograms are read by. */
const PART = /_(bucket|sum|count)$/

/** Names of metrics in a text, as PromQL or as a reader would write them. */
const namesIn = (text: string): string[] =>
  [...new Set(text.match(/\b(refrain|process)_[a-z_]+\b/g))].map((name) => name.replace(PART, ''))

const exposed = async (): Promise<Set<string>> => {
  const { gateway } = await run()
  const settings = { port: 0, host: '127.0.0.1', isDraining: () => false }
  const admin = createAdminServer(gateway, settings)
  onTestFinished(() => admin.close())
  const text = await (await fetch(`${await admin.listen()}/metrics`)).text()
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
}

test('every metric that the alerts and the dashboard name is exposed, and the dashboard shows all of them', async () => {
  const names = await exposed()
  const isMissing = (name: string) => !names.has(name)
  expect(namesIn(RULES).length).toBeGreaterThan(10)
  expect(namesIn(RULES).filter(isMissing)).toEqual([])
  expect(namesIn(DASHBOARD).filter(isMissing)).toEqual([])
  const shown = new Set(namesIn(DASHBOARD))
  expect([...names].filter((name) => !shown.has(name))).toEqual([])
})

test('the page of operations lists exactly what is exposed', async () => {
  const page = readFileSync('docs/operations.md', 'utf8')
  const listed = [...page.matchAll(/^\| `((?:refrain|process)_[a-z_]+)` \|/gm)].map(
    ([, name]) => name,
  )
  expect(new Set(listed)).toEqual(await exposed())
})

test('every alert tells how grave it is and where the page of runbooks says what to do', () => {
  const page = readFileSync('docs/runbooks.md', 'utf8')
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  const alerts = RULES.split(/- alert: /).slice(1)
  expect(alerts.length).toBeGreaterThan(10)
  for (const alert of alerts) {
    expect(alert).toMatch(/severity: (critical|warning|info)\b/)
    expect(headings).toContain(/^ +runbook: (\S+)$/m.exec(alert)?.[1])
  }
})

test('every alert is in the tests of the rules, where it fires and where it does not', () => {
  const tests = readFileSync('deploy/prometheus/rules.test.yml', 'utf8')
  for (const [, name] of RULES.matchAll(/- alert: (\w+)/g))
    expect(tests.match(new RegExp(`alertname: ${name}\\b`, 'g')), name).toHaveLength(2)
})
