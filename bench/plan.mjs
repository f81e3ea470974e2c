// What a price costs: CPU of pricing known documents with known arguments, against CPU of executing them.
// `npm run bench:plan`; both take turns within one process, every answer is held, medians of all rounds.
import { parse, execute as run } from 'graphql'
import { systemClock } from '../dist/clock.js'
import { readConfig } from '../dist/config.js'
import { createContext } from '../dist/context.js'
import { createLedger } from '../dist/credits/ledger.js'
import { createGateway } from '../dist/gateway.js'
import { createPlans } from '../dist/plan/plan.js'
import { createSandbox } from '../dist/sandbox/server.js'
import { schema } from '../dist/schema/index.js'
import { queryOf } from '../dist/schema/query.js'
import { secret } from '../dist/upstream/token/secret.js'
import { median } from './gateway/median.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 15)
const MOST_PERCENT = 5
const MOST_MS_OF_REFUSAL = 50
const LIMIT = 1000

const OPERATIONS = {
  artist: [
    'query Artist($id: Int!) { artist(cmId: $id) { name rank score imageUrl genres { primary { name } } } }',
    { id: 5 },
    400,
  ],
  playlists: [
    'query Playlists($first: Int) { playlists(platform: PLAT_B, first: $first) { nodes { name followers } pageInfo { endCursor } } }',
    { first: 50 },
    100,
  ],
  chart: [
    'query Chart($country: CountryCode!) { charts { platB(countryCode: $country, first: 100) { nodes { rank track { name isrc } artists { name } } } } }',
    { country: 'US' },
    20,
  ],
  'chart with records': [
    'query Deep($country: CountryCode!) { charts { platB(countryCode: $country, first: 100) { nodes { rank artists { name rank moods { name } } } } } }',
    { country: 'US' },
    20,
  ],
  // Many different requests: the worst for a price, which looks at each.
  roster: [
    'query Roster($ids: [Int!]!) { artists(cmIds: $ids) { name rank score } }',
    { ids: Array.from({ length: 100 }, (_, at) => at + 2) },
    40,
  ],
}

/** Microseconds of CPU that one of `times` takes. */
const cpuOf = async (times, work) => {
  const before = process.cpuUsage()
  for (let one = 0; one < times; one++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed', rotation: 'none' })
const url = await sandbox.listen()
const settings = {
  STATE_DIR: 'off',
  LOG_LEVEL: 'silent',
  SANDBOX: '1',
  CREDITS_PER_OPERATION: `${LIMIT}`,
}
const { config } = readConfig(settings, () => '')
const gateway = createGateway({ ...config, upstreamRefreshToken: secret('seed') }, url)
const plans = createPlans(schema, gateway.upstream, 32 * 1024 * 1024)

const execute = async (query, variables) => {
  const answer = await gateway.yoga.fetch('http://gateway/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const body = await answer.json()
  if (body.errors) throw new Error(JSON.stringify(body.errors[0]))
  return body.extensions.credits.spent
}

let worst = 0
const rows = []
for (const [name, [text, variables, times]] of Object.entries(OPERATIONS)) {
  const document = parse(text)
  const query = queryOf(document)
  const context = createContext(gateway.upstream, {
    ledger: createLedger(),
    timeoutMs: 60_000,
    directives: {},
    budgets: [],
    client: { name: 'bench', premium: true, reports: true },
  })
  await run({ schema, document, variableValues: variables, contextValue: context })
  plans(query, variables).learn(context.operation)
  const price = () => plans(query, variables).price(context.operation, LIMIT)
  if (price().max > 0 || (await execute(text, variables)) > 0)
    throw new Error(`${name}: not all of it is held`)
  const priced = []
  const executed = []
  for (let round = 0; round < ROUNDS; round++) {
    priced.push(await cpuOf(times * 20, price))
    executed.push(await cpuOf(times, () => execute(text, variables)))
  }
  const percent = (100 * median(priced)) / median(executed)
  worst = Math.max(worst, percent)
  rows.push([name, median(priced).toFixed(1), median(executed).toFixed(0), percent.toFixed(2)])
}

// Fragments within fragments, each twice: 2^25 fields written out, refused by counting 25.
const doubled = [
  '{ artist(cmId: 5) { ...F0 } }',
  ...Array.from(
    { length: 25 },
    (_, at) =>
      `fragment F${at} on Artist { ...F${at + 1} a: tracks { nodes { artists { ...F${at + 1} } } } }`,
  ),
  'fragment F25 on Artist { name }',
].join(' ')
const refusals = []
for (let round = 0; round < ROUNDS; round++)
  refusals.push(
    await cpuOf(1, async () => {
      const answer = await gateway.yoga.fetch('http://gateway/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        // Another document each time, as no cache of documents is what is measured.
        body: JSON.stringify({ query: `${doubled} # ${round}` }),
      })
      if ((await answer.json()).data) throw new Error('not refused')
    }),
  )

const print = (line) => process.stdout.write(`${line}\n`)
const aligned = (cells) =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(12))).join('')
print(aligned(['operation', 'price µs', 'execute µs', '%']))
for (const row of rows) print(aligned(row))
const refusalMs = median(refusals) / 1000
print(`a fragment doubled 25 times is refused in ${refusalMs.toFixed(1)} ms of CPU`)

await gateway.close()
await sandbox.close()
if (worst > MOST_PERCENT) {
  print(`a price may cost ${MOST_PERCENT} % of its execution`)
  process.exitCode = 1
}
if (refusalMs > MOST_MS_OF_REFUSAL) {
  print(`a refusal may cost ${MOST_MS_OF_REFUSAL} ms`)
  process.exitCode = 1
}
