import { expect, onTestFinished, test } from 'vitest'
import { createRegister } from '../../src/clients/register.ts'
import { createAdminServer } from '../../src/server/admin.ts'
import { bearer, openClients } from '../support/clients.ts'

const ARTIST = '{ artist(cmId: 5) { rank } }'
const PREMIUM = '{ artist(cmId: 5) { premium { wherePeopleListen } } }'

/** A register whose log is read, on a clock that stands. */
const open = () => {
  const lines: string[] = []
  let now = 0
  const register = createRegister(
    () => now,
    (line) => lines.push(line),
  )
  return {
    register,
    lines,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('whoever guesses keys fills no log: a line a minute says how many, and the last address', () => {
  const { register, lines, pass } = open()
  for (let at = 0; at < 1000; at += 1) register.turnAway(`203.0.113.${at % 9}`)
  pass(60_000)
  register.turnAway('')
  expect(lines).toEqual([
    'Turned away: 1 request without the key of a client, the last from 203.0.113.0',
    'Turned away: 1000 requests without the key of a client',
  ])
  expect(register.strangers).toBe(1001)
})

test('a right that a client has not is a line a minute for each client; credits are counted only', () => {
  const { register, lines, pass } = open()
  for (const name of ['web', 'app', 'web']) register.refuse(name, 'FORBIDDEN', 'no premium')
  register.refuse('web', 'CREDIT_LIMIT_EXCEEDED', 'costs 7')
  pass(60_000)
  register.refuse('web', 'FORBIDDEN', 'no documents')
  expect(lines).toEqual([
    'Client web was refused a right in 1 request, the last: no premium',
    'Client app was refused a right in 1 request, the last: no premium',
    'Client web was refused a right in 2 requests, the last: no documents',
  ])
})

test('clients of a token may be any number: the first hundred have a line of their own', () => {
  const { register } = open()
  for (let at = 0; at < 10_000; at += 1) {
    register.enter(`client ${at}`)
    register.refuse(`client ${at}`, 'CREDIT_BUDGET_EXHAUSTED', '')
  }
  expect(register.operations).toHaveLength(101)
  expect(register.refused).toHaveLength(101)
  expect(register.operations.at(-1)).toEqual({ client: 'others', count: 9_900 })
})

test('metrics tell by client what ran and what was refused', async () => {
  const { query, gateway } = await openClients([
    { name: 'web' },
    { name: 'poor', creditsPerOperation: 0 },
    { name: 'spent', creditsPerDay: 0 },
  ])
  for (let turn = 0; turn < 4; turn += 1) await query(ARTIST, {}, bearer('web'))
  await query(PREMIUM, {}, bearer('web'))
  await query('{ artist(cmId: 6) { rank } }', {}, bearer('poor'))
  await query('{ artist(cmId: 6) { rank } }', {}, bearer('spent'))
  for (const key of ['wrong', 'other']) await query(ARTIST, {}, { 'x-api-key': key })
  const admin = createAdminServer(gateway, { port: 0, host: '127.0.0.1', isDraining: () => false })
  onTestFinished(() => admin.close())
  const text = await (await fetch(`${await admin.listen()}/metrics`)).text()
  const told = text
    .split('\n')
    .filter((line) => /^refrain_(client_(operations|refusals)|strangers)/.test(line))
  expect(new Set(told)).toEqual(
    new Set([
      'refrain_client_operations_total{client="web"} 5',
      'refrain_client_operations_total{client="poor"} 0',
      'refrain_client_operations_total{client="spent"} 1',
      'refrain_client_refusals_total{client="web",code="FORBIDDEN"} 1',
      'refrain_client_refusals_total{client="poor",code="CREDIT_LIMIT_EXCEEDED"} 1',
      'refrain_client_refusals_total{client="spent",code="CREDIT_BUDGET_EXHAUSTED"} 1',
      'refrain_strangers_total 2',
    ]),
  )
})
