#!/usr/bin/env node
import { priceCommand, USAGE } from './price.ts'

const [command, ...args] = process.argv.slice(2)

const run = () => {
  if (command !== 'price') return { code: 2 as const, text: USAGE }
  try {
    return priceCommand(args)
  } catch (failure) {
    return { code: 2 as const, text: failure instanceof Error ? failure.message : String(failure) }
  }
}

const { code, text } = run()
process.exitCode = code
;(code === 2 ? process.stderr : process.stdout).write(`${text}\n`)
