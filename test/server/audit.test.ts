import { serverAudits } from 'graphql-http'
import { afterAll, describe, expect, it } from 'vitest'
import { createHttpServer } from '../../src/server/http.ts'
import { openRun } from '../support/run.ts'

const run = await openRun()
const server = createHttpServer(run.gateway, {
  port: 0,
  host: '127.0.0.1',
  graphiql: true,
  sandbox: true,
})
const address = await server.listen()
afterAll(async () => {
  await server.close()
  await run.close()
})

const audits = serverAudits({ url: `${address}/graphql`, fetchFn: fetch })

describe('the audit of GraphQL over HTTP', () => {
  it('has all of its points', () => {
    const levels = audits.map(({ name }) => name.split(' ')[0])
    const count = (level: string) => levels.filter((one) => one === level).length
    expect([count('MUST'), count('SHOULD'), count('MAY')]).toEqual([13, 23, 25])
  })

  it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_name, audit) => {
    // What was asked before may come by a shorter way, and what came that way from what is finished.
    for (const _time of ['first', 'second', 'third']) {
      const result = await audit.fn()
      expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok')
    }
  })
})
