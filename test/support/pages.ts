import { execFileSync } from 'node:child_process'

/** Bundles the pages, which their tests read; nothing is done where their parts are as they were. */
export default () => {
  execFileSync(process.execPath, ['scripts/ui.mjs'], { stdio: 'inherit' })
}
