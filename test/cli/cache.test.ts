import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cacheCommand } from '../../src/cli/cache.ts'
import { handClock } from '../credits/ask.ts'
import { run } from '../support/run.ts'

const folderOf = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refrain-purge-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const ARTIST = '{ artist(cmId: 5) { rank } }'
const TRACK = '{ track(cmId: 7) { score } }'
const DAY = 86_400_000

/** What a new process spends on an artist and a track. */
const spentOn = async (
  env: Record<string, string>,
  clock: ReturnType<typeof handClock>['clock'],
) => {
  const opened = await run({ env, clock })
  const spent: number[] = []
  for (const query of [ARTIST, TRACK]) spent.push((await opened.query(query)).credits.spent)
  await opened.gateway.close()
  return spent
}

test('answers of an endpoint are bought anew after a purge, all others are held', async () => {
  const env = { STATE_DIR: await folderOf() }
  const { clock } = handClock('2026-03-10T12:00:00Z')
  expect(await spentOn(env, clock)).toEqual([1, 1])
  expect(await spentOn(env, clock)).toEqual([0, 0])
  expect(await cacheCommand(['purge', '--endpoint', 'artist'], env.STATE_DIR)).toBe(
    '1 answer taken out, 1 left',
  )
  expect(await spentOn(env, clock)).toEqual([1, 0])
  expect(await cacheCommand(['purge', '--all'], env.STATE_DIR)).toBe('2 answers taken out, 0 left')
  expect(await spentOn(env, clock)).toEqual([1, 1])
})

test('answers older than a moment go, younger ones stay', async () => {
  const env = { STATE_DIR: await folderOf() }
  const { clock, advance } = handClock('2026-03-10T12:00:00Z')
  const opened = await run({ env, clock })
  await opened.query(ARTIST)
  advance(DAY)
  await opened.query(TRACK)
  await opened.gateway.close()
  const purge = (before: string) =>
    cacheCommand(['purge', '--before', before, '--state-dir', env.STATE_DIR], 'elsewhere')
  expect(await purge('2026-03-10')).toBe('0 answers taken out, 2 left')
  expect(await purge('2026-03-11')).toBe('1 answer taken out, 1 left')
  expect(await spentOn(env, clock)).toEqual([1, 0])
})

test('a purge that does not say what, or of what is not there, is refused', async () => {
  const folder = await folderOf()
  const refused: readonly (readonly [string[], RegExp])[] = [
    [['purge'], /^refrain cache purge/],
    [['purge', '--all', '--endpoint', 'artist'], /^refrain cache purge/],
    [['empty'], /^refrain cache purge/],
    [
      ['purge', '--endpoint', 'artists'],
      /--endpoint: expected one of docs\/endpoints.md, got artists/,
    ],
    [['purge', '--before', 'soon'], /--before: expected a day or a moment, got soon/],
    [['purge', '--all'], /No answers are kept in/],
  ]
  for (const [args, why] of refused) await expect(cacheCommand(args, folder)).rejects.toThrow(why)
})
