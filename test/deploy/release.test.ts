import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPT = resolve('scripts/release.mjs')

/** A repository with what a release touches. */
const repository = () => {
  const folder = mkdtempSync(join(tmpdir(), 'refrain-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of ['package.json', 'package-lock.json', 'CHANGELOG.md', '.npmrc', 'deploy'])
    cpSync(file, join(folder, file), { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  git('init', '-q')
  git('config', 'user.name', 'somebody')
  git('config', 'user.email', 'somebody@example.com')
  git('add', '.')
  git('commit', '-qm', 'all')
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const release = (...args: string[]) =>
    execFileSync(process.execPath, [SCRIPT, ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  return { folder, git, release, read }
}

test('a release names its version everywhere, closes the list of changes, and is a commit with a tag', () => {
  const { git, release, read } = repository()
  const listed = read('CHANGELOG.md').split('## Unreleased\n')[1]?.trim()
  expect(release('9.0.0')).toContain('v9.0.0 is tagged')
  expect(git('status', '--porcelain', '--untracked-files=no')).toBe('')
  expect(git('tag', '--points-at', 'HEAD')).toBe('v9.0.0')
  expect(JSON.parse(read('package.json')).version).toBe('9.0.0')
  expect(JSON.parse(read('package-lock.json')).version).toBe('9.0.0')
  expect(read('package-lock.json')).not.toContain('"resolved"')
  expect(read('deploy/kubernetes/refrain.yml')).toContain('refrain:9.0.0')
  expect(read('CHANGELOG.md')).toMatch(/## Unreleased\n\n## 9\.0\.0 \(\d{4}-\d\d-\d\d\)\n/)
  expect(release('--notes', '9.0.0').trim()).toBe(listed)
})

test('it refuses a version that is none or not newer, and what is not committed', () => {
  const { folder, release, git } = repository()
  for (const version of ['0.0.1', '9', 'v9.0.0']) expect(() => release(version)).toThrow(/expected/)
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n')
  expect(() => release('9.0.0')).toThrow(/commit first/)
  git('commit', '-qam', 'nothing')
  expect(() => release('9.0.0')).toThrow(/nothing that is unreleased/)
})

test('packages with native parts are locked for both kinds of processor', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  for (const processor of ['x64', 'arm64'])
    expect(packages).toHaveProperty([`node_modules/@lmdb/lmdb-linux-${processor}`])
})
