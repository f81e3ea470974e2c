import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRedisBoard } from '../../src/board/redis.ts'
import { openCut } from '../support/cut.ts'
import { openLink, startRedis, useRedis } from '../support/redis.ts'
import { holdsRecords } from './contract.ts'

const redis = useRedis()

const link = async () => {
  const opened = await openLink(redis.url)
  onTestFinished(() => opened.close())
  return opened
}
const emptied = async () => {
  const opened = await link()
  await opened.run(`redis.call('FLUSHALL')`, [], [])
  return opened
}

holdsRecords('in Redis', async () => createRedisBoard(await emptied()))

describe('a board in Redis', () => {
  it('is one board for all who share it, over a restart too', async () => {
    const board = createRedisBoard(await emptied())
    expect(await board.write('token', { gen: 1, text: 'one' }, undefined)).toBe(true)
    await redis.kill()
    await redis.start()
    const other = createRedisBoard(await link())
    expect(await other.read('token')).toEqual({ gen: 1, text: 'one' })
    expect(other.owner).not.toBe(board.owner)
  })

  it('tells the others that a record has changed', async () => {
    const [mine, theirs] = [createRedisBoard(await emptied()), createRedisBoard(await link())]
    const heard = new Promise<void>((resolve) => theirs.watch?.('pause', resolve))
    const telling = setInterval(() => void mine.write('pause', { gen: 1, text: '' }, 1), 50)
    await mine.write('pause', { gen: 1, text: '' }, undefined)
    await heard
    clearInterval(telling)
  })

  it.each([
    ['another type', `redis.call('RPUSH', KEYS[1], 'x')`, ''],
    ['a record without a generation', `redis.call('HSET', KEYS[1], 'text', 'x')`, 'x'],
    ['a generation that is none', `redis.call('HSET', KEYS[1], 'gen', 'ten', 'text', 'x')`, 'x'],
  ])('takes %s for generation 0, and writes over it', async (_, lua, text) => {
    const opened = await emptied()
    const board = createRedisBoard(opened)
    await opened.run(lua, [opened.name('board', 'token')], [])
    expect(await board.read('token')).toEqual({ gen: 0, text })
    expect(await board.write('token', { gen: 1, text: 'one' }, 0)).toBe(true)
    expect(await board.read('token')).toEqual({ gen: 1, text: 'one' })
  })

  it('declares nobody dead whom it cannot see, and takes what lies under its own mark for lost', async () => {
    const board = createRedisBoard(await link())
    expect(await board.hasEnded('elsewhere 1 1 x')).toBe(false)
    expect(await board.hasEnded(board.owner)).toBe(true)
  })
})

describe('a link', () => {
  it('makes nobody wait for a Redis that hangs, and comes back by itself', async () => {
    const opened = await openLink(redis.url, { limitMs: 100 })
    onTestFinished(() => opened.close())
    const board = createRedisBoard(opened)
    redis.freeze()
    await expect(board.read('token')).rejects.toThrow('Redis is away: Error: no answer within 100')
    expect(opened.isUp).toBe(false)
    await expect(board.read('token')).rejects.toThrow('Redis is away')
    const up = new Promise<void>((resolve) => opened.onUp(resolve))
    redis.thaw()
    await up
    await board.read('token')
  })

  it('is given up with all that waits for it, and asks one that greets and hangs again each 5 s only', async () => {
    const cut = await openCut(redis.port)
    let sent = 0
    const watch = () => {
      sent += 1
      return () => undefined
    }
    const opened = await openLink(cut.url, { limitMs: 100, watch })
    onTestFinished(() => opened.close())
    const board = createRedisBoard(opened)
    cut.hangAt('eval')
    const first = expect(board.read('token')).rejects.toThrow('no answer within 100 ms')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await expect(board.read('token')).rejects.toThrow('max retries')
    await first
    await vi.waitFor(
      async () => {
        await expect(board.read('token')).rejects.toThrow('Redis is away')
        expect(cut.unheard.length).toBeGreaterThanOrEqual(4)
      },
      { timeout: 30_000, interval: 10 },
    )
    expect(sent).toBe(2)
    const [one, two, soon, late] = cut.unheard
    expect(two?.connection).toBe(one?.connection)
    expect((late?.at ?? 0) - (soon?.at ?? 0)).toBeGreaterThanOrEqual(4_900)

    const up = new Promise<void>((resolve) => opened.onUp(resolve))
    cut.hangAt(undefined)
    await up
    await board.read('token')
  })

  it('does not take the time for which this process was busy for that of Redis', async () => {
    const opened = await openLink(redis.url, { limitMs: 100 })
    onTestFinished(() => opened.close())
    redis.freeze()
    const reading = createRedisBoard(opened).read('token')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    redis.thaw()
    await reading
    expect(opened.isUp).toBe(true)
  })

  it('waits until a replica of Redis has what was written, no longer than is allowed, and tells of one that lags', async () => {
    const [replica, line] = [await startRedis(), await openCut(redis.port)]
    onTestFinished(replica.stop)
    await replica.say(`REPLICAOF 127.0.0.1 ${line.port}`)
    await vi.waitFor(async () => {
      expect(await replica.say('INFO replication')).toContain('master_link_status:up')
    }, 20_000)
    const told: string[] = []
    const opened = await openLink(redis.url, { warn: (text) => told.push(text) })
    onTestFinished(() => opened.close())
    const board = createRedisBoard(opened)
    line.hold()
    await board.write('token', { gen: 1, text: 'one' }, undefined)
    let isCopied = false
    const copied = opened.copied().then(() => {
      isCopied = true
    })
    for (let turn = 0; turn < 10; turn += 1) await board.read('token')
    expect(isCopied).toBe(false)
    line.release()
    await copied
    expect(await replica.say('HGET refrain:1:board:token text')).toContain('one')
    expect(told).toEqual([])

    line.hold()
    const hurried = await openLink(redis.url, { limitMs: 100, warn: (text) => told.push(text) })
    onTestFinished(() => hurried.close())
    await createRedisBoard(hurried).write('token', { gen: 2, text: 'two' }, 1)
    await hurried.copied()
    expect(await replica.say('HGET refrain:1:board:token text')).toContain('one')
    await vi.waitFor(() => {
      expect(told).toEqual([expect.stringContaining('No replica of Redis has what was written')])
    }, 20_000)
  })
})
