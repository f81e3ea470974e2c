import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { startProgram } from '../support/process.ts'
import { openRun } from '../support/run.ts'
import { snippet, TICKETS } from './page.ts'

const SECRET = 'between-router-and-gateway'
const HIVE = resolve('test/federation/node_modules/@graphql-hive/gateway/dist/bin.js')
const FOLDER = 'test/federation/.run'
/** Events and charts lie around today: all of a test is one day. */
const clock = { ...systemClock, now: () => Date.parse('2026-03-10T12:00:00Z') }

type Run = Awaited<ReturnType<typeof openRun>>

interface Answer {
  readonly data: unknown
  readonly errors?: readonly { readonly message: string }[]
  readonly extensions?: { readonly credits?: { readonly spent: number } }
}

const post = (url: string, query: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })

/** An address that stays while the gateways behind it are changed: each operation can find one that holds nothing. */
const openDoor = async () => {
  let run: Run
  const server = createServer((request, response) => {
    void run.gateway.yoga(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const renew = async (): Promise<Run> => {
    await run?.close()
    run = await openRun({
      clock,
      env: { FEDERATION_SECRET: SECRET },
      sandbox: { flawedRows: false },
    })
    return run
  }
  await renew()
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    renew,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
      await run.close()
    },
  }
}

/** Programs that end together, whether all of them began or not. */
const createPrograms = () => {
  const stops: (() => Promise<unknown>)[] = []
  return {
    async start(args: readonly string[], env: Record<string, string>) {
      const probe = (url: string) => post(`${url}/graphql`, '{ __typename }')
      const { url, stop } = await startProgram({ args, cwd: FOLDER, env, probe })
      stops.push(stop)
      return `${url}/graphql`
    },
    async stop() {
      for (const stop of stops.splice(0)) await stop()
    },
  }
}

const write = (sdl: string) => {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const name of ['compose.mjs', 'gateway.config.mjs', 'apollo.mjs'])
    writeFileSync(`${FOLDER}/${name}`, snippet(`// ${name}`))
  writeFileSync(`${FOLDER}/tickets.graphql`, TICKETS)
  writeFileSync(`${FOLDER}/schema.subgraph.graphql`, sdl)
}

/** The gateway and a ticket shop behind both routers, each configured as docs/federation.md says. */
export const openSupergraph = async () => {
  if (!existsSync(HIVE)) throw new Error('No routers here: npm ci --prefix test/federation')
  write(readFileSync('schema.subgraph.graphql', 'utf8'))
  const door = await openDoor()
  const programs = createPrograms()
  const close = async () => {
    await programs.stop()
    await door.close()
  }

  const open = async () => {
    const tickets = await programs.start(['../tickets.mjs'], {})
    const env = { REFRAIN_URL: door.url, TICKETS_URL: tickets, FEDERATION_SECRET: SECRET }
    execFileSync(process.execPath, ['compose.mjs'], { cwd: FOLDER, env })
    return {
      gateway: door.url,
      hive: await programs.start([HIVE, 'supergraph', '--host', '127.0.0.1'], env),
      apollo: await programs.start(['apollo.mjs'], env),
    }
  }
  const urls = await open().catch(async (failure) => {
    await close()
    throw failure
  })

  /** Asks one operation of a gateway that holds nothing. */
  const ask = async (
    who: keyof typeof urls,
    query: string,
    headers: Record<string, string> = {},
  ) => {
    const { meter } = await door.renew()
    const answer: Answer = await (await post(urls[who], query, headers)).json()
    const paths = meter.requests.map(({ path }) => path).sort()
    return { ...answer, credits: meter.credits, paths }
  }
  return { ask, close }
}
