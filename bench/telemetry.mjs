// What it costs to be watched: logs, metrics that are read, and clients known by their keys, beside none of it.
// `npm run bench:telemetry`; fails above a fifth.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, load, open, openStub, tell } from './gateway/pair.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 40)
const LEAST = 0.8
const WINDOW_MS = 300
const workloads = ['W1', 'W2cold', 'W2hot', 'W3', 'W4', 'W5']
const KEY = 'bench-key-of-thirty-two-characters'

const folder = await mkdtemp(join(tmpdir(), 'refrain-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const clients = join(folder, 'clients.json')
const keyHash = `sha256:${createHash('sha256').update(KEY).digest('hex')}`
await writeFile(clients, JSON.stringify({ clients: [{ name: 'bench', keyHash }] }))

openStub()
const plain = await open('plain')
const watched = await open(
  'watched',
  { LOG_LEVEL: 'info', CLIENTS_FILE: clients },
  { 'x-api-key': KEY },
)
const scrape = setInterval(
  () => void fetch(`http://127.0.0.1:${watched.adminPort}/metrics`).then((answer) => answer.text()),
  1_000,
)
for (const gateway of [plain, watched])
  for (const workload of workloads) await load(gateway, workload, 1_500)
const compared = await compare([plain, watched], workloads, ROUNDS, WINDOW_MS)
clearInterval(scrape)
tell(compared, [plain, watched], LEAST)
process.exit()
