import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { systemClock } from '../../src/clock.ts'
import { createSandbox } from '../../src/sandbox/server.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { request } from '../../src/upstream/request.ts'
import { CODES } from '../support/code.ts'
import { openGateway, type Result } from '../support/gateway.ts'
import { openScript } from '../support/script.ts'
import { ASKINGS, type EndpointName, queryOf } from './asking.ts'
import { answersLike, type Json, shortened } from './body.ts'
import type { Effort } from './effort.ts'

const OWN = Reflect.ownKeys(Object.prototype).length

/** What the sandbox answers at an endpoint, with short lists. */
export const validBody = async (name: EndpointName): Promise<Json> => {
  const sandbox = createSandbox({ clock: systemClock, refreshToken: 'seed' })
  const url = await sandbox.listen()
  try {
    const minted = await fetch(`${url}/api/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshtoken: 'seed' }),
    })
    const { token } = await minted.json()
    const { wire } = request<unknown>(endpoints[name], ASKINGS[name].args)
    const answer = await fetch(url + wire.path, {
      method: wire.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(wire.body === undefined ? {} : { body: wire.body }),
    })
    if (!answer.ok) throw new Error(`${name}: the sandbox answered ${answer.status}`)
    return shortened(await answer.json())
  } finally {
    await sandbox.close()
  }
}

/** Longer than any answer is good for, even where a newer one cannot be had. */
const LATER = 8 * 86_400_000

/** A gateway on an upstream that says one text at one endpoint, and 404 elsewhere; nothing is held from one question to the next. */
export const openSaying = async (name: EndpointName) => {
  const route = new RegExp(`^${endpoints[name].path.replace(/\{\w+\}/g, '[^/]+')}$`)
  let text = ''
  const upstream = await openScript(({ path }) =>
    route.test(path) ? { text } : { status: 404, body: { error: 'not here' } },
  )
  let later = 0
  const clock = { ...systemClock, now: () => systemClock.now() + later }
  const { gateway, query } = openGateway(upstream.url, {}, { clock })
  const document = queryOf(name)
  return {
    drift: gateway.upstream.drift.counts,
    ask(said: string) {
      text = said
      later += LATER
      upstream.requests.length = 0
      upstream.tokens.length = 0
      return query(document)
    },
    /** The same by a GET, which graphql-js runs. */
    async get(said: string): Promise<Pick<Result, 'data' | 'errors'>> {
      text = said
      later += LATER
      const { body } = await gateway.get(`/graphql?query=${encodeURIComponent(document)}`, {
        headers: new Headers({ accept: 'application/json' }),
      })
      const { data, errors = [] } = JSON.parse(body.toString())
      return { data, errors }
    },
    async close() {
      await gateway.close()
      await upstream.close()
    },
  }
}

const byPath = ({ data, errors }: Pick<Result, 'data' | 'errors'>) => ({
  data,
  errors: errors.map((error) => JSON.stringify(error).replace(/"requestId":"[^"]*"/, '')).sort(),
})

/** Asks an endpoint whose answers are anything at all twice over: what runs here says what graphql-js says. */
export const runsAsGraphql = async (name: EndpointName, effort: Effort): Promise<void> => {
  const valid = await validBody(name)
  const saying = await openSaying(name)
  try {
    await saying.ask(JSON.stringify(valid))
    await fc.assert(
      fc.asyncProperty(answersLike(valid), async (said) => {
        const [own, theirs] = [byPath(await saying.ask(said)), byPath(await saying.get(said))]
        if (!isDeepStrictEqual(own, theirs))
          throw new Error(`${JSON.stringify(own)} is not ${JSON.stringify(theirs)}`)
      }),
      effort,
    )
  } finally {
    await saying.close()
  }
}

/** Asks an endpoint whose answers are anything at all: the client is told in the contract's words, and no more. */
export const holdsForAnyAnswer = async (name: EndpointName, effort: Effort): Promise<void> => {
  const valid = await validBody(name)
  const saying = await openSaying(name)
  try {
    const plain = await saying.ask(JSON.stringify(valid))
    if (plain.errors.length > 0) throw new Error(JSON.stringify(plain.errors))
    await fc.assert(
      fc.asyncProperty(answersLike(valid), async (said) => {
        const { status, errors } = await saying.ask(said)
        if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(errors)}`)
        const foreign = errors.filter(({ extensions }) => !CODES.has(extensions?.code))
        if (foreign.length > 0) throw new Error(JSON.stringify(foreign))
        if (Reflect.ownKeys(Object.prototype).length !== OWN || 'polluted' in {})
          throw new Error('Object.prototype was changed')
      }),
      effort,
    )
  } finally {
    await saying.close()
  }
}
