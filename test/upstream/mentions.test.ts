import { describe, expect, it } from 'vitest'
import { createMentions } from '../../src/upstream/mentions.ts'

interface Chart {
  readonly name: string
  readonly at: number
}

const chart = (name: string, at: number): Chart => ({ name, at })
const isAny = () => true

/** Mentions in charts that are held until they are let go, and how many of these were looked for. */
const open = (most: number) => {
  const gone = new Set<Chart>()
  let sought = 0
  const mentions = createMentions<Chart, Chart>(most, (where) => {
    sought += 1
    return gone.has(where) ? undefined : where
  })
  const thing = (name: string) => {
    const [kind = '', id = 0] = name.split(':')
    return [kind, id] as const
  }
  const of = (name: string, many = 3, isWanted: (held: Chart) => boolean = isAny) =>
    mentions.of(...thing(name), many, isWanted).map(({ where, place }) => [where.name, place])
  return {
    add: (name: string, where: Chart, place: number) => mentions.add(...thing(name), where, place),
    of,
    letGo: (where: Chart) => gone.add(where),
    /** How many charts a look looks for. */
    counting(look: () => void): number {
      sought = 0
      look()
      return sought
    },
  }
}

describe('mentions', () => {
  it('are found by their thing, the newest first, and once of what mentions it in several places', () => {
    const { add, of } = open(100)
    const [first, second] = [chart('first', 1), chart('second', 2)]
    add('artist:1', first, 4)
    add('artist:1', first, 7)
    add('track:1', first, 7)
    add('artist:1', second, 0)
    expect(of('artist:1')).toEqual([
      ['second', 0],
      ['first', 7],
    ])
    expect(of('artist:1', 1)).toEqual([['second', 0]])
    expect(of('artist:2')).toEqual([])
  })

  it('are of the same thing whether its number is told as one or as digits', () => {
    const mentions = createMentions<Chart, Chart>(100, (where) => where)
    const first = chart('first', 1)
    mentions.add('artist', 17, first, 4)
    expect(mentions.of('artist', '17', 3, isAny)).toHaveLength(1)
    expect(mentions.of('artist', '017', 3, isAny)).toEqual([])
    expect(mentions.of('track', 17, 3, isAny)).toEqual([])
    for (const other of [17 + 2 ** 32, `${17 + 2 ** 32}`, 17.5])
      expect(mentions.of('artist', other, 3, isAny)).toEqual([])
  })

  it('are found the newest first in whatever order they were noted', () => {
    const { add, of } = open(100)
    for (const at of [5, 9, 1, 7, 3, 8, 2]) add('artist:1', chart(`at ${at}`, at), at)
    expect(of('artist:1')).toEqual([9, 8, 7].map((at) => [`at ${at}`, at]))
    expect(of('artist:1', 2, ({ at }) => at < 8)).toEqual([7, 5].map((at) => [`at ${at}`, at]))
  })

  it('are forgotten once there are more than so many that are newer', () => {
    const most = 50
    const { add, of } = open(most)
    for (let id = 1; id <= 1000; id++) {
      add('of all', chart(`chart ${id}`, id), id)
      add(`of ${id}`, chart(`chart ${id}`, id), id)
    }
    const all = Array.from({ length: most / 2 }, (_, at) => 1000 - at)
    expect(of('of all', most)).toEqual(all.map((id) => [`chart ${id}`, id]))
    for (let id = 1; id <= 1000; id++)
      expect(of(`of ${id}`)).toHaveLength(id > 1000 - most / 2 ? 1 : 0)
  })

  it('are left out for good once what mentions is not held, and those of others stay', () => {
    const { add, of, letGo } = open(7)
    const charts = Array.from({ length: 6 }, (_, at) => chart(`chart ${at}`, at))
    // Of so few places several things share one.
    for (const [at, where] of charts.entries()) add(at % 2 === 0 ? 'even' : 'odd', where, at)
    for (const where of charts.slice(1, 5)) letGo(where)
    for (let again = 0; again < 2; again++) {
      expect(of('even')).toEqual([['chart 0', 0]])
      expect(of('odd')).toEqual([['chart 5', 5]])
    }
    for (const at of [6, 7, 8]) add('odd', chart(`chart ${at}`, at), at)
    expect(of('odd', 9)).toEqual([8, 7, 6, 5].map((at) => [`chart ${at}`, at]))
  })
})

describe('a look', () => {
  const MANY = 10_000
  const filled = (isKept: (at: number) => boolean) => {
    const mentions = open(2 * MANY)
    for (let at = 1; at <= MANY; at++) {
      const where = chart(`chart ${at}`, at)
      mentions.add('artist:1', where, at)
      if (!isKept(at)) mentions.letGo(where)
    }
    return mentions
  }

  it('comes to the newest alone where all are held', () => {
    const { of, counting } = filled(() => true)
    expect(counting(() => expect(of('artist:1')).toHaveLength(3))).toBe(3)
  })

  it('comes to those that are gone once', () => {
    const { of, counting } = filled((at) => at === 1)
    expect(counting(() => expect(of('artist:1')).toEqual([['chart 1', 1]]))).toBe(MANY)
    expect(counting(() => expect(of('artist:1')).toEqual([['chart 1', 1]]))).toBe(1)
  })

  it('comes to as many as it gives where those between are gone', () => {
    const { of, counting } = filled((at) => at % 100 === 0)
    expect(counting(() => expect(of('artist:1')).toHaveLength(3))).toBe(201)
    expect(counting(() => expect(of('artist:1')).toHaveLength(3))).toBe(3)
  })

  it('comes to no more than some fifty that are held and not wanted', () => {
    const { of, counting } = filled(() => true)
    expect(counting(() => expect(of('artist:1', 3, () => false)).toEqual([]))).toBe(50)
    expect(of('artist:1', 3, ({ at }) => at <= MANY - 49)).toHaveLength(1)
  })

  it('comes to no more of them where what is newest was noted first', () => {
    const mentions = open(2 * MANY)
    mentions.add('artist:1', chart('newest', MANY), 0)
    for (let at = 1; at < MANY; at++) mentions.add('artist:1', chart(`chart ${at}`, at), at)
    expect(mentions.counting(() => mentions.of('artist:1'))).toBe(50)
  })
})
