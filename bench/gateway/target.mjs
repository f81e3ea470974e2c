// Who is measured: two floors, the gateway, and those of ../peers that are installed (`npm install` in their folders).
import { existsSync } from 'node:fs'
import { tailcall } from '../peers/tailcall/tailcall.mjs'
import { start, startGateway } from './process.mjs'

const HERE = new URL('.', import.meta.url).pathname
const PEERS = `${HERE}../peers/`
const CORE = 0

const floor = (upstream) => (name, port, MODE) => ({
  name,
  url: (workload) => `http://127.0.0.1:${port}/${workload}`,
  pid: start(CORE, ['node', `${HERE}floor.mjs`], { PORT: port, MODE, UPSTREAM: upstream }),
})

const refrain = (upstream, port) => ({
  name: 'refrain',
  url: () => `http://127.0.0.1:${port}/graphql`,
  pid: startGateway(CORE, port, upstream, { CACHE_MAX_MB: '128' }),
})

const COMMANDS = {
  apollo: () => ['node', `${PEERS}apollo/server.mjs`],
  mercurius: () => ['node', `${PEERS}mercurius/server.mjs`],
  tailcall,
}

const peer = (upstream) => (name, place) => {
  const port = 4320 + place
  return {
    name,
    url: () => `http://127.0.0.1:${port}/graphql`,
    pid: start(CORE, COMMANDS[name](port, upstream), { PORT: String(port), UPSTREAM: upstream }),
  }
}

const installed = Object.keys(COMMANDS).filter((name) => existsSync(`${PEERS}${name}/node_modules`))

/** Starts them all, each on the same core. */
export const startAll = (upstream) => [
  floor(upstream)('floor-bytes', 4311, 'bytes'),
  floor(upstream)('floor-undici', 4312, 'undici'),
  refrain(upstream, 4313),
  ...installed.map(peer(upstream)),
]
