import { execFileSync } from 'node:child_process'

/** Bundles the explorer, which tests of its page read; nothing is done where its parts are as they were. */
export default () => {
  execFileSync(process.execPath, ['scripts/graphiql.mjs'], { stdio: 'inherit' })
}
