import { checkProgram, openProgram, readProgram, USAGE } from './program.ts'

const isAsked = (...options: readonly string[]) =>
  process.argv.slice(2).some((option) => options.includes(option))

if (isAsked('--help', '-h')) process.stdout.write(`${USAGE}\n`)
else {
  const config = readProgram(process.env)
  if (config !== undefined)
    if (isAsked('--check-config')) await checkProgram(config)
    else await openProgram(config)
}
