// The expressions of the dashboard as rules (JSON is YAML), so that promtool can read them: `panels.mjs > rules.yml`.
import { readFileSync } from 'node:fs'

const { panels } = JSON.parse(readFileSync('deploy/grafana/refrain.json', 'utf8'))
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const rules = expressions.map((expr, at) => ({
  record: `panel:${at}`,
  expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
}))
if (rules.length === 0) throw new Error('the dashboard asks for nothing')
process.stdout.write(`${JSON.stringify({ groups: [{ name: 'panels', rules }] })}\n`)
