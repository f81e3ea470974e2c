#!/usr/bin/env node
import { wordsOf } from '../errors.ts'
import { openProgram, readProgram } from '../program.ts'
import { optionOf } from '../setting.ts'
import { USAGE as CACHE_USAGE, cacheCommand } from './cache.ts'
import { USAGE as CLIENT_USAGE, clientCommand } from './client.ts'
import { USAGE as PRICE_USAGE, priceCommand } from './price.ts'
import { folderOf, USAGE as RECORDING_USAGE, withoutService } from './recording.ts'
import { USAGE as TOKEN_USAGE, tokenCommand } from './token.ts'

const [command = '', ...args] = process.argv.slice(2)

const USAGES = new Map([
  ['price', PRICE_USAGE],
  ['client', CLIENT_USAGE],
  ['record', RECORDING_USAGE],
  ['replay', RECORDING_USAGE],
  ['cache', CACHE_USAGE],
  ['token', TOKEN_USAGE],
])
const HELP = ['--help', '-h']

const end = (code: number, text: string): void => {
  process.exitCode = code
  ;(code === 2 ? process.stderr : process.stdout).write(`${text}\n`)
}

const serve = async (isClosed: boolean): Promise<void> => {
  const recordings = { folder: folderOf(args), isClosed }
  const config = readProgram(isClosed ? withoutService(process.env) : process.env)
  if (config !== undefined) await openProgram(config, recordings)
}

try {
  const usage = USAGES.get(command)
  const isHelp = [command, ...args].some((word) => HELP.includes(word))
  const all = [...new Set(USAGES.values())].join('\n\n')
  if (isHelp && usage === undefined) end(0, all)
  else if (command === '') end(2, all)
  else if (usage === undefined)
    end(
      2,
      `${optionOf(command)}: no such command; there are ${[...USAGES.keys()].join(', ')}, and --help`,
    )
  else if (isHelp) end(0, usage)
  else if (command === 'record' || command === 'replay') await serve(command === 'replay')
  else if (command === 'cache')
    end(0, await cacheCommand(args, process.env.STATE_DIR || '.refrain', process.env.REDIS_URL))
  else if (command === 'token')
    end(0, await tokenCommand(args, process.env.REDIS_URL, process.env.STATE_KEY))
  else if (command === 'price') {
    const { code, text } = priceCommand(args)
    end(code, text)
  } else end(0, clientCommand(args, process.env.CLIENTS_FILE))
} catch (failure) {
  end(2, wordsOf(failure))
}
