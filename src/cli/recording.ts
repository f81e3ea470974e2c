import { parseArgs } from 'node:util'
import type { Environment } from '../config.ts'
import { VARIABLES } from '../variable.ts'

/** What `refrain record` and `refrain replay` do. */
export const USAGE = `refrain record [--dir <folder>]
refrain replay [--dir <folder>]

record  serves the gateway as \`node dist/main.js\` does, by the same variables, and keeps each answer of the service in the folder
replay  serves it from the folder alone: no service, no token, no credits; what is not recorded is null, with the error NOT_CACHED
  --dir  the folder, recordings where it is not said: a JSON file for each request, without secrets and personal data`

/** The folder that the arguments name; a wrong option is thrown. */
export const folderOf = (args: readonly string[]): string => {
  const { values } = parseArgs({
    args: [...args],
    options: { dir: { type: 'string', default: 'recordings' } },
  })
  return values.dir
}

const OF_THE_SERVICE = ['the service', 'what outlives a process', 'many as one'] as const
const BUDGETS = ['CREDITS_PER_DAY', 'CREDITS_PER_MONTH']

/** Of what a process is told, nothing that is about a service. */
export const withoutService = (env: Environment): Environment => {
  const names = OF_THE_SERVICE.flatMap((theme) => Object.keys(VARIABLES[theme])).concat(BUDGETS)
  const unset = Object.fromEntries(names.map((name) => [name, '']))
  return { ...env, ...unset, STATE_DIR: 'off', SANDBOX: '1' }
}
