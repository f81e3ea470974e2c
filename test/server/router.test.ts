import { afterEach, describe, expect, test } from 'vitest'
import { openRun } from '../support/run.ts'

const open: { close(): Promise<void> }[] = []
const closed = async (env: Record<string, string> = {}) => {
  const opened = await openRun({ env: { FEDERATION_SECRET: 'old-secret, new-secret', ...env } })
  open.push(opened)
  return opened
}
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const ENTITY =
  '_entities(representations: [{ __typename: "Artist", cmId: 5 }]) { ... on Artist { name } }'

describe('with a secret for the router', () => {
  test.each([
    ['{ _service { sdl } }'],
    [`{ ${ENTITY} }`],
    [`{ artist(cmId: 7) { name } mine: ${ENTITY} }`],
    [`{ ...Mine } fragment Mine on Query { ... on Query { ${ENTITY} } }`],
    ['query ($no: Boolean! = false) { _service @include(if: $no) { sdl } }'],
  ])('nobody else is answered, and nothing is spent: %s', async (text) => {
    const { query, meter } = await closed()
    for (const headers of [
      {},
      bearer('guess'),
      bearer('old-secret,new-secret'),
      { authorization: 'old-secret' },
      { authorization: 'Basic old-secret' },
      { 'x-api-key': 'old-secret' },
    ]) {
      const { data, errors, status } = await query(text, {}, headers as Record<string, string>)
      expect(status).toBe(401)
      expect(data).toBeUndefined()
      expect(errors).toEqual([expect.objectContaining({ extensions: { code: 'UNAUTHENTICATED' } })])
      expect(JSON.stringify(errors)).not.toContain('old-secret')
    }
    expect(meter.credits).toBe(0)
  })

  test('the router is answered, with the old and with the new one', async () => {
    const { query, meter } = await closed()
    for (const headers of [
      bearer('old-secret'),
      bearer('new-secret'),
      { authorization: 'bearer new-secret' },
    ]) {
      const { data, errors } = await query(`{ _service { sdl } ${ENTITY} }`, {}, headers)
      expect(errors).toEqual([])
      expect(data._service.sdl).toContain('@key(fields: "cmId")')
      expect(data._entities[0].name).toEqual(expect.any(String))
    }
    expect(meter.credits).toBe(1)
  })

  test('the router spends under its own name', async () => {
    const { query } = await closed()
    await query('{ artist(cmId: 7) { score } }')
    await query(`{ ${ENTITY} }`, {}, bearer('new-secret'))
    const { data } = await query('{ credits { byClient { name spent } } }')
    expect(data.credits.byClient).toContainEqual({ name: 'router', spent: 1 })
  })

  test('everybody is answered what is no router’s business', async () => {
    const { query } = await closed()
    expect((await query('{ artist(cmId: 5) { name } }')).errors).toEqual([])
  })

  test('the router reads the subgraph where introspection is off', async () => {
    const { query } = await closed({ INTROSPECTION: 'off' })
    expect((await query('{ _service { sdl } }', {}, bearer('old-secret'))).errors).toEqual([])
    const { errors } = await query('{ __schema { queryType { name } } }', {}, bearer('old-secret'))
    expect(errors).toHaveLength(2)
  })
})

test('without one, routers need none', async () => {
  const opened = await openRun()
  open.push(opened)
  expect((await opened.query(`{ _service { sdl } ${ENTITY} }`)).errors).toEqual([])
})
