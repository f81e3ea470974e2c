// Takes out of node_modules what nothing reads at run time, and says what is left of a production tree: `slim.mjs [folder]`.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

const MOST_BYTES = 60_000_000
const UNREAD =
  /^(?!licen[cs]e|copying|notice).*\.(map|md|markdown|d\.[cm]?ts|ts|mts|cts|tsbuildinfo)$/i

const root = process.argv[2] ?? '.'
const files = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []

for (const file of files(join(root, 'node_modules'))) if (UNREAD.test(basename(file))) rmSync(file)
const bytes = ['package.json', 'node_modules', 'dist']
  .flatMap((part) => (part === 'package.json' ? [join(root, part)] : files(join(root, part))))
  .reduce((sum, file) => sum + statSync(file).size, 0)
process.stdout.write(
  `the production tree has ${(bytes / 1e6).toFixed(1)} MB, at most ${MOST_BYTES / 1e6} are allowed\n`,
)
process.exitCode = bytes > MOST_BYTES ? 1 : 0
