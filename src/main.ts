import { checkProgram, openProgram, readProgram, USAGE } from './program.ts'
import { optionOf } from './setting.ts'

/** What a worker is told by the first process begins so. */
const TOLD = /^--(worker|sandbox-at)=/
const OPTIONS = ['--help', '-h', '--check-config']
const stranger = process.argv
  .slice(2)
  .find((option) => !OPTIONS.includes(option) && !TOLD.test(option))

const isAsked = (...options: readonly string[]) =>
  process.argv.slice(2).some((option) => options.includes(option))

if (isAsked('--help', '-h')) process.stdout.write(`${USAGE}\n`)
else if (stranger !== undefined) {
  process.stderr.write(`${optionOf(stranger)}: no such option\n\n${USAGE}\n`)
  process.exitCode = 2
} else {
  const config = readProgram(process.env)
  if (config !== undefined)
    if (isAsked('--check-config')) await checkProgram(config)
    else await openProgram(config)
}
