// The gateway without its sockets, over answers from memory: what is left is what this code costs.
import { setImmediate as turn } from 'node:timers/promises'
import { digestOf, MOST_OPERATIONS, RIGHTS } from '../../dist/clients/client.js'
import { createCrowd } from '../../dist/clients/crowd.js'
import { createRoll } from '../../dist/clients/roll.js'
import { systemClock } from '../../dist/clock.js'
import { readConfig } from '../../dist/config.js'
import { createBook } from '../../dist/credits/book.js'
import { createLedger } from '../../dist/credits/ledger.js'
import { createDoor } from '../../dist/door.js'
import { createLog } from '../../dist/log.js'
import { createUpstream } from '../../dist/upstream/client.js'
import { createDrift } from '../../dist/upstream/drift.js'
import { createFacts } from '../../dist/upstream/facts.js'
import { createPacking } from '../../dist/upstream/packed.js'
import { createMemoryShelf } from '../../dist/upstream/shelf.js'
import { bodyOf } from '../gateway/answer.mjs'

const MEGABYTE = 1024 * 1024
const KEY = 'key-of-the-guard'
const CLIENT = { client: { name: 'guard', ...RIGHTS }, keyHash: digestOf(KEY) }
const HEADERS = { 'content-type': 'application/json', accept: 'application/json' }
const KEYED = { 'x-api-key': KEY, ...HEADERS }
const anonymous = new Headers(HEADERS)
/** Of each request its own, as they come in: a client is found by them. */
const known = () => new Headers(KEYED)

/** An answer has a turn of its own, as one from a socket has: what is let go at the end of a turn would pile up otherwise. */
const send = async ({ path, credits, endpoint }, { ledger }, end) => {
  await ledger.charge(credits, endpoint)
  await turn()
  end({ answer: { status: 200, headers: {}, text: bodyOf(path) } })
}

/**
 * Answers a body as a client is answered; throws where that is no answer. `megabytes` is what it may hold; whoever asks
 * has a key where clients have such.
 */
export const openDoor = (megabytes = 40, haveKeys = false) => {
  const bytes = (share) => Math.floor(share * megabytes * MEGABYTE)
  const { config } = readConfig({ STATE_DIR: 'off', LOG_LEVEL: 'silent', SANDBOX: '1' }, () => '')
  const clients = haveKeys ? [CLIENT] : []
  const now = () => systemClock.now()
  const log = createLog(config.logLevel, now, () => undefined)
  const shelf = createMemoryShelf(bytes(0.7))
  const facts = createFacts(shelf, bytes(0.1))
  const upstream = createUpstream({
    send,
    shelf,
    facts,
    packed: createPacking(bytes(0.06), facts.read),
    clock: systemClock,
    drift: createDrift(),
    book: createBook(now),
    background: createLedger(),
  })
  const own = haveKeys ? { ...config, clientsFile: clients } : config
  const { answer } = createDoor(own, {
    upstream,
    budgets: [],
    log,
    roll: createRoll(clients, { read: () => [], budgetOf: () => undefined, say: log }),
    finishedBytes: bytes(0.1),
    draftBytes: bytes(0.1),
    during: createCrowd(MOST_OPERATIONS).during,
    turnedAway: () => undefined,
  })
  return async (body) => {
    const reply = await answer({ headers: haveKeys ? known() : anonymous, body })
    const text = reply.body.toString()
    if (reply.status !== 200 || text.includes('"errors"')) throw new Error(text.slice(0, 500))
    return text
  }
}
