// The gateway as an operator runs it, on the stub's service.
import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuMs, rssMb, startGateway } from '../gateway/process.mjs'

const CORE = 0

const fileOf = (clients) => {
  const file = join(tmpdir(), `refrain-capacity-${process.pid}-${clients}.json`)
  const hash = (at) => createHash('sha256').update(`key-${at}`).digest('hex')
  const list = Array.from({ length: clients }, (_, at) => ({
    name: `client-${at}`,
    keyHash: `sha256:${hash(at)}`,
  }))
  writeFileSync(file, JSON.stringify({ clients: list }))
  process.on('exit', () => rmSync(file, { force: true }))
  return file
}

const answers = (url) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

export const untilAnswers = async (url) => {
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries > 300) throw new Error(`nobody answers at ${url}`)
    await wait(100)
  }
}

/** A replica that listens; `clients` have keys, 0: whoever asks is answered. */
export const open = async (port, upstream, { clients = 0, ...env } = {}) => {
  const pid = startGateway(CORE, port, upstream, {
    ...(clients > 0 && { CLIENTS_FILE: fileOf(clients) }),
    ...env,
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(`${url}/livez`)
  return {
    url,
    clients,
    cpu: () => cpuMs(pid),
    rss: () => rssMb(pid),
    scrape: () => answers(`http://127.0.0.1:${port + 50}/metrics`),
    close: () => process.kill(pid, 'SIGKILL'),
  }
}
