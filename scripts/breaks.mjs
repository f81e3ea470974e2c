// Tells what the schema of the working tree takes from clients of an earlier revision, and fails where the changelog does not.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { buildSchema, findBreakingChanges, findDangerousChanges } from 'graphql'

const FILE = 'schema.graphql'

const git = (...args) => {
  try {
    const stdio = ['ignore', 'pipe', 'ignore']
    return execFileSync('git', args, { encoding: 'utf8', stdio, maxBuffer: 1e8 }).trim()
  } catch {
    return undefined
  }
}

/** Where this branch left main; on main itself the revision before its own change. A clone of one revision has none. */
const baseRevision = () => {
  const head = git('rev-parse', 'HEAD')
  const fork = ['origin/main', 'main']
    .map((main) => git('merge-base', 'HEAD', main))
    .find((revision) => revision !== undefined && revision !== head)
  const isCommitted = git('status', '--porcelain', '--', FILE) === ''
  return fork ?? git('rev-parse', '--verify', isCommitted ? 'HEAD~1' : 'HEAD')
}

/** The part of the changelog that is not released yet. */
const unreleased = (changelog) => changelog.split(/^## /m).find((part) => /^unreleased/i.test(part))

const say = (line) => process.stdout.write(`${line}\n`)

const base = process.argv[2] ?? baseRevision()
const before = base && git('show', `${base}:${FILE}`)
if (before === undefined) {
  say(`${base ?? 'no earlier revision'}: no ${FILE} to compare with`)
  process.exit()
}
const [was, is] = [before, readFileSync(FILE, 'utf8')].map((text) => buildSchema(text))
const declared = unreleased(readFileSync('CHANGELOG.md', 'utf8')) ?? ''
const breaking = findBreakingChanges(was, is).map(({ description }) => description)
const silent = breaking.filter((change) => !declared.includes(`- Breaking: ${change}`))

for (const { description } of findDangerousChanges(was, is)) say(`note: ${description}`)
for (const change of breaking)
  say(`${silent.includes(change) ? 'breaks clients' : 'declared'}: ${change}`)
say(`${breaking.length} breaking changes of ${FILE} since ${base}, ${silent.length} undeclared`)
if (silent.length > 0) {
  say('Keep the old beside the new, @deprecated; or add to CHANGELOG.md, under Unreleased:')
  for (const change of silent) say(`- Breaking: ${change}`)
  process.exitCode = 1
}
