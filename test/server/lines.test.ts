import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLines } from '../../src/server/lines.ts'

/** Lines in which all work takes the same, as far as the process can tell. */
const open = (msEach = 0) => {
  let worked = 0
  const went: string[] = []
  const turnedAway: (string | undefined)[] = []
  const waits: [client: string | undefined, ms: number][] = []
  const lines = createLines({
    work: () => worked,
    tell: (client, ms) => waits.push([client, ms]),
  })
  const enter = (client: string | undefined, count: number) => {
    for (let at = 0; at < count; at += 1)
      lines.enter(client, () => {
        went.push(client ?? 'nobody')
        worked += msEach
      }) || turnedAway.push(client)
  }
  /** Lets so many turns of the loop pass; gives what went on in each. */
  const turns = async (count: number) => {
    const each: number[] = []
    for (let at = 0; at < count; at += 1) {
      const before = went.length
      await turn()
      each.push(went.length - before)
    }
    return each
  }
  const longest = (client: string | undefined) =>
    Math.max(...waits.filter(([name]) => name === client).map(([, ms]) => ms))
  return { enter, turns, went, turnedAway, longest }
}

test('each client has its turn, however many of another came before', async () => {
  const { enter, turns, went } = open()
  enter('greedy', 100)
  enter('honest', 2)
  enter(undefined, 1)
  await turns(1)
  expect(went.slice(0, 6)).toEqual(['greedy', 'honest', 'nobody', 'greedy', 'honest', 'greedy'])
  await turns(10)
  expect(went).toHaveLength(103)
})

test('in a turn of the loop goes on as much as it has time for: more of what is quick, less of what is not', async () => {
  const quick = open()
  quick.enter('web', 100)
  expect((await quick.turns(5)).slice(0, 4)).toEqual([8, 16, 32, 44])
  const slow = open(10)
  slow.enter('web', 30)
  expect((await slow.turns(8)).slice(0, 6)).toEqual([8, 4, 2, 4, 2, 4])
})

test('who waits for what it asked itself keeps nobody else waiting', async () => {
  const { enter, turns, longest } = open(10)
  enter('greedy', 100)
  enter('honest', 1)
  await turns(60)
  expect(longest('greedy')).toBeGreaterThan(900)
  expect(longest('honest')).toBe(0)
  expect(longest(undefined)).toBeLessThanOrEqual(80)
})

test('of those whom nobody knows each waits for all before it', async () => {
  const { enter, turns, longest } = open(10)
  enter(undefined, 100)
  await turns(60)
  expect(longest(undefined)).toBeGreaterThan(900)
})

test('more of one client than it can have connections are turned away, and others are not', async () => {
  const { enter, turns, went, turnedAway } = open()
  enter('greedy', 2_010)
  enter('honest', 1)
  expect(turnedAway).toEqual(Array(10).fill('greedy'))
  await turns(30)
  expect(went).toHaveLength(2_001)
})
