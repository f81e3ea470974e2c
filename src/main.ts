import { describeConfig } from './config.ts'
import { openProgram, readProgram } from './program.ts'

const config = readProgram(process.env)
if (config !== undefined)
  if (process.argv.includes('--check-config')) process.stdout.write(`${describeConfig(config)}\n`)
  else await openProgram(config)
