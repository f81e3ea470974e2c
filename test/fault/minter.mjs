// A process that asks for tokens, fetches one artist and tells of each change that it makes in its folder, before it
// makes it; at the one it is told to it stands still, so that it can be killed there.
import { promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

const [dist, baseUrl, stateDir, stopAt, callers] = process.argv.slice(2)
const never = new Promise(() => setInterval(() => undefined, 60_000))
let step = 0

const announce = async (name) => {
  step += 1
  process.send({ step, name })
  if (step === Number(stopAt)) await never
}

const changes = {
  mkdir: () => true,
  link: () => true,
  rm: () => true,
  open: (_, flags) => flags !== 0,
}
for (const [name, isChange] of Object.entries(changes)) {
  const real = promises[name]
  promises[name] = async (path, ...rest) => {
    const changing = String(path).startsWith(stateDir) && isChange(path, rest[0] & 3)
    if (changing) await announce(name)
    return real(path, ...rest)
  }
}
syncBuiltinESMExports()

const load = (file) => import(join(dist, file))
const { createTransport } = await load('upstream/transport/index.js')
const { systemClock } = await load('clock.js')
const { sending } = await load('upstream/transport/step.js')
const { createLedger } = await load('credits/ledger.js')
const { secret } = await load('upstream/token/secret.js')

const billed = { requests: true, token: false, free: [401] }
const settings = { baseUrl, stateDir, billed, concurrency: 4, timeoutMs: 8_000 }
const transport = createTransport({ ...settings, refreshToken: secret('seed') }, systemClock)
const request = { method: 'GET', path: '/api/artist/5', credits: 1, endpoint: 'artist' }
const caller = { ledger: createLedger(), deadline: Date.now() + 60_000 }
const asking = Array.from({ length: Number(callers) }, () => transport.token.current(caller))
const served = (await Promise.all(asking)).length
const { status } = await sending(transport.step)(request, caller)
process.send({ status, served })
await never
