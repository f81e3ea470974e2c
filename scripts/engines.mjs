// Every package of the lockfile must run on the oldest Node that package.json promises.
import { readFileSync } from 'node:fs'
import semver from 'semver'

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
const promised = read('package.json').engines.node
const oldest = semver.minVersion(promised)
const packages = Object.entries(read('package-lock.json').packages).filter(
  ([name, { engines }]) => name !== '' && engines?.node !== undefined,
)
const faults = packages.filter(([, { engines }]) => !semver.satisfies(oldest, engines.node))

for (const [name, { version, engines }] of faults)
  process.stderr.write(`${name} ${version} asks for Node ${engines.node}, we promise ${promised}\n`)
process.stdout.write(`${packages.length} packages of the lockfile checked against Node ${oldest}\n`)
process.exitCode = faults.length > 0 || packages.length === 0 ? 1 : 0
