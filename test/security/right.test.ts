import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { build, startProgram } from '../support/process.ts'
import { openScript } from '../support/script.ts'

/** Node's own lock: what is not allowed by name throws. It had another name before version 22. */
const LOCK = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'

let built: ReturnType<typeof build>
beforeAll(() => {
  built = build('right')
}, 120_000)
afterAll(() => built.remove())

test('67: it writes nothing outside its state, and starts no program and no thread', async () => {
  const service = await openScript(() => ({ body: { obj: { id: 5, name: 'Ada' } } }))
  const state = await mkdtemp(join(tmpdir(), 'refrain-right-'))
  const rights = ['--allow-fs-read=*', `--allow-fs-write=${state}`, '--allow-addons']
  const gateway = await startProgram({
    args: [LOCK, ...rights, join(built.dist, 'main.js')],
    env: {
      NODE_ENV: 'production',
      ADMIN_PORT: '0',
      UPSTREAM_URL: service.url,
      ALLOW_PLAINTEXT: '1',
      UPSTREAM_REFRESH_TOKEN: 'seed',
      STATE_DIR: state,
    },
    probe: (url) => fetch(`${url}/readyz`),
  })
  onTestFinished(async () => {
    await gateway.kill()
    await service.close()
  })
  const answer = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ artist(cmId: 5) { name } }' }),
  })
  expect((await answer.json()).data).toEqual({ artist: { name: 'Ada' } })
  expect(await gateway.stop()).toBe(0)
  expect(gateway.log()).not.toMatch(/ERR_ACCESS_DENIED/)
  expect(await readdir(state)).not.toEqual([])
}, 120_000)
