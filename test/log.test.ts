import { GraphQLError, parse } from 'graphql'
import { expect, test } from 'vitest'
import { GatewayError } from '../src/errors.ts'
import { createLog } from '../src/log.ts'

const logged = (...parts: unknown[]): string[] => {
  const lines: string[] = []
  createLog(
    'info',
    () => 0,
    (line) => lines.push(line),
  ).error(...parts)
  return lines
}
const messageOf = (...parts: unknown[]): string => JSON.parse(logged(...parts)[0] ?? '').message

test('a line is JSON with its time, level and message', () => {
  expect(logged('a', 'b')).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"error","message":"a b"}\n',
  ])
})

test('what is below the level, and what the client is told of, is not written', () => {
  const lines: string[] = []
  const log = createLog(
    'warn',
    () => 0,
    (line) => lines.push(line),
  )
  log.info('nothing')
  log.error(new GatewayError('TIMEOUT', 'late'))
  log.error(new GraphQLError('late', { originalError: new GatewayError('TIMEOUT', 'late') }))
  log.error(new GraphQLError('Cannot query field'))
  log.error(
    new GraphQLError('Variable "$id" got invalid value', {
      originalError: new GraphQLError('Int cannot represent it'),
    }),
  )
  const asked = parse('{ artist(cmId: $id) { name } }').definitions
  const refused = new GraphQLError('Argument "cmId" must not be null', { nodes: asked })
  log.error(new GraphQLError(refused.message, { path: ['artist'], originalError: refused }))
  expect(lines).toEqual([])
  log.error(new GraphQLError('boom', { originalError: new Error('boom') }))
  const inField = { path: ['artist', 'rank'], originalError: new GraphQLError('Int cannot') }
  log.error(new GraphQLError('Int cannot', inField))
  expect(lines).toHaveLength(2)
  const standIn = new GatewayError('UPSTREAM_UNAVAILABLE', 'away', {}, new Error('a fault of ours'))
  for (const failure of [standIn, new GraphQLError('away', { originalError: standIn })]) {
    log.error(failure)
    expect(lines.at(-1)).toContain('a fault of ours')
  }
})

test('an error that no refusal stands in for is written as it is, whatever it comes from', () => {
  const failure = new Error('the file could not be read', { cause: new Error('EIO') })
  expect(messageOf(failure)).toContain('the file could not be read')
})

test.each([
  ['Authorization: Bearer s3cr3t.T0ken-x_y', 'Authorization: Bearer [secret]'],
  [
    `{"refresh_token":"s3cr3t","expires_in":3600}`,
    `{"refresh_token":"[secret]","expires_in":3600}`,
  ],
  [`{ refreshtoken: 's3cr3t', a: 1 }`, `{ refreshtoken: '[secret]', a: 1 }`],
  [`{ authorization: "s3cr3t" }`, `{ authorization: "[secret]" }`],
])('a token within a text is not printed: %s', (text, expected) => {
  expect(messageOf(text)).toBe(expected)
})

test('nor the beginning of one where the text is cut off', () => {
  expect(messageOf(`${'x'.repeat(1970)}{"refresh_token":"s3cr3t-and-more"}`)).not.toContain('s3c')
})

test('a text about tokens stays readable', () => {
  const text = 'token: the endpoint answers 503 (token: kept); set UPSTREAM_REFRESH_TOKEN'
  expect(messageOf(text)).toBe(text)
})
