import { checkProgram, openProgram, readProgram } from './program.ts'

const config = readProgram(process.env)
if (config !== undefined)
  if (process.argv.includes('--check-config')) await checkProgram(config)
  else await openProgram(config)
