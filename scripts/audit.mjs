// Fails where a locked package has a known hole: by the list below, and with --registry by what the registry knows today.
// Either is first shown a version whose holes are known, and fails where it finds nothing in that: it would not see ours.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import semver from 'semver'

const HOLES = [
  {
    name: 'undici',
    versions: '<=7.28.0',
    advisories: 'GHSA-phc3-fgpg-7m6h, GHSA-g9mf-h72j-4rw9, GHSA-8xcm-r25x-g524',
  },
]
const CANARY = { name: 'undici', version: '7.16.0' }
const ENOUGH = ['high', 'critical']

const canaryLock = {
  name: 'canary',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': { name: 'canary', version: '1.0.0', dependencies: { [CANARY.name]: CANARY.version } },
    [`node_modules/${CANARY.name}`]: { version: CANARY.version },
  },
}

const byList = ({ packages }) =>
  Object.entries(packages).flatMap(([path, { version }]) =>
    HOLES.filter(
      ({ name, versions }) =>
        path.endsWith(`node_modules/${name}`) && semver.satisfies(version, versions),
    ).map(({ name, advisories }) => `${name} ${version}: ${advisories}`),
  )

const ask = (folder) => {
  const flags = ['--json', '--package-lock-only', '--omit=dev']
  try {
    return execFileSync('npm', ['audit', ...flags], { cwd: folder, encoding: 'utf8' })
  } catch ({ stdout }) {
    // What has holes ends so, too.
    return stdout
  }
}

const byRegistry = (folder) => {
  const { vulnerabilities, message } = JSON.parse(ask(folder) || '{}')
  if (vulnerabilities === undefined) return [`no report: ${message ?? 'nothing came'}`]
  return Object.values(vulnerabilities)
    .filter(({ severity }) => ENOUGH.includes(severity))
    .map(({ name, severity }) => `${name}: ${severity}, see npm audit`)
}

const inCanary = (look) => {
  const folder = mkdtempSync(join(tmpdir(), 'refrain-canary-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(canaryLock.packages['']))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(canaryLock))
    return look(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const read = () => JSON.parse(readFileSync('package-lock.json', 'utf8'))
const checks = [['the list', byList(canaryLock), () => byList(read())]]
if (process.argv.includes('--registry'))
  checks.push(['the registry', inCanary(byRegistry), () => byRegistry('.')])

for (const [who, canary, look] of checks) {
  const sees = canary.some((hole) => hole.startsWith(CANARY.name))
  const blind = `it sees no hole in ${CANARY.name} ${CANARY.version}: ${canary.join() || 'clean'}`
  const faults = sees ? look() : [blind]
  for (const fault of faults) process.stderr.write(`${who}: ${fault}\n`)
  process.stdout.write(`${who}: ${faults.length === 0 ? 'no known hole' : 'FAILED'}\n`)
  if (faults.length > 0) process.exitCode = 1
}
