import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPT = resolve('scripts/breaks.mjs')
const BEFORE = 'type Query { artist: Artist } type Artist { name: String rank: Int }'
const AFTER = 'type Query { artist: Artist } type Artist { name: String score: Int }'
const page = readFileSync('docs/changes.md', 'utf8')
const [, complaint = ''] = /^breaks clients: (.*)$/m.exec(page) ?? []
const [declaration = ''] = /^- Breaking: .*$/m.exec(page) ?? []

/** A repository with one revision of a schema. */
const repository = () => {
  const folder = mkdtempSync(join(tmpdir(), 'refrain-breaks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  const write = (schema: string, changes = '') => {
    writeFileSync(join(folder, 'schema.graphql'), schema)
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      `# Changelog\n\n## Unreleased\n\n${changes}\n\n## 1.0.0\n\n${changes === '' ? declaration : ''}\n`,
    )
  }
  const commit = () => {
    git('add', '.')
    git('commit', '--quiet', '--allow-empty', '--message', 'a revision')
  }
  git('init', '--quiet', '--initial-branch', 'main')
  write(BEFORE)
  commit()
  const check = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
    return { status, text: `${stdout}${stderr}` }
  }
  return { git, write, commit, check }
}

test('a field that is gone fails the check, on main and on a branch, however long the branch is', () => {
  const { git, write, commit, check } = repository()
  git('switch', '--quiet', '--create', 'branch')
  write(AFTER)
  for (let revisions = 0; revisions < 2; revisions++) {
    const { status, text } = check()
    expect(status).toBe(1)
    expect(text).toContain(`breaks clients: ${complaint}\n`)
    expect(text).toContain(`- Breaking: ${complaint}`)
    commit()
    commit()
  }
  git('switch', '--quiet', 'main')
  git('merge', '--quiet', '--squash', 'branch')
  commit()
  expect(check().status).toBe(1)
})

test('one that is declared passes, but not by the words of an older version', () => {
  const { write, commit, check } = repository()
  write(AFTER)
  expect(check('HEAD').status).toBe(1)
  write(AFTER, declaration)
  const { status, text } = check('HEAD')
  expect(status, text).toBe(0)
  expect(text).toContain(`declared: ${complaint}`)
  commit()
  expect(check().status).toBe(0)
})

test('what is added passes, and a clone of one revision has nothing to compare with', () => {
  const { write, commit, check } = repository()
  expect(check()).toMatchObject({
    status: 0,
    text: 'no earlier revision: no schema.graphql to compare with\n',
  })
  write(BEFORE.replace('rank: Int', 'rank: Int @deprecated(reason: "Ask score.") score: Int'))
  commit()
  expect(check()).toMatchObject({ status: 0 })
})
