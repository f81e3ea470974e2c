// Makes a release of what is committed: `release.mjs 0.2.0` names the version everywhere, closes the changelog's
// list of what is unreleased, commits and tags; nothing is pushed. `release.mjs --notes 0.2.0` prints that list.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import semver from 'semver'

const UNRELEASED = '## Unreleased\n'
const CHANGELOG = 'CHANGELOG.md'
const MANIFESTS = 'deploy/kubernetes/refrain.yml'

const read = (path) => readFileSync(path, 'utf8')
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const end = (why) => {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

/** What the changelog tells of a heading. */
const listed = (heading) => read(CHANGELOG).split(heading)[1]?.split('\n## ')[0]?.trim() ?? ''

const rewrite = (path, from, to) => {
  const text = read(path)
  if (!text.includes(from)) end(`${path} does not hold ${from}`)
  writeFileSync(path, text.replaceAll(from, to))
}

const [first, second] = process.argv.slice(2)
if (first === '--notes') {
  const notes = listed(`## ${second} `).split('\n').slice(1).join('\n').trim()
  if (notes === '') end(`the changelog tells nothing of ${second}`)
  process.stdout.write(`${notes}\n`)
} else {
  const { version: before } = JSON.parse(read('package.json'))
  if (semver.valid(first) !== first || !semver.gt(first, before))
    end(`release.mjs <version>: expected one above ${before}, got ${first}`)
  if (git('status', '--porcelain', '--untracked-files=no') !== '') end('commit first')
  if (listed(UNRELEASED) === '') end('the changelog lists nothing that is unreleased')
  const day = new Date().toISOString().slice(0, 10)
  rewrite(CHANGELOG, UNRELEASED, `${UNRELEASED}\n## ${first} (${day})\n`)
  rewrite(MANIFESTS, `refrain:${before}`, `refrain:${first}`)
  execFileSync('npm', ['version', first, '--no-git-tag-version', '--ignore-scripts'])
  git('commit', '-qam', `chore(release): ${first}`)
  git('tag', '-a', `v${first}`, '-m', `refrain ${first}`)
  process.stdout.write(`v${first} is tagged: git push --follow-tags\n`)
}
