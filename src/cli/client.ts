import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { digestOf, readClients } from '../clients/client.ts'
import { counted } from '../count.ts'

/** What `refrain client` does. */
export const USAGE = `refrain client add <name> [--credits-per-day <n>] [--credits-per-month <n>] [--credits-per-operation <n>]
                          [--slots <n>] [--operations <n>] [--premium] [--documents-only] [--document <hash>]... [--no-reports]
refrain client list
refrain client revoke <name> [--key <beginning of its hash>]

add     prints a new key, once: the file holds its hash; a client that is there already gets a further key, with the same settings
list    prints the clients, each key by the beginning of its hash
revoke  takes a client out with all of its keys, or one key of it
  --file  the file of clients, CLIENTS_FILE where it is not said; a running gateway takes a change over within seconds`

const OPTIONS = {
  file: { type: 'string' },
  key: { type: 'string' },
  'credits-per-day': { type: 'string' },
  'credits-per-month': { type: 'string' },
  'credits-per-operation': { type: 'string' },
  slots: { type: 'string' },
  operations: { type: 'string' },
  premium: { type: 'boolean' },
  'documents-only': { type: 'boolean' },
  document: { type: 'string', multiple: true },
  'no-reports': { type: 'boolean' },
} as const

/** What is done to one client. */
const ACTS: readonly string[] = ['add', 'revoke']

/** A client as the file spells it. */
type Listed = Readonly<Record<string, unknown>>

const parsedArgs = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
type Values = ReturnType<typeof parsedArgs>['values']

const READABLE_BY_OWNER = 0o600
const HASH_SHOWN = 8

const clientsIn = (text: string): Listed[] => {
  readClients(text, true)
  return JSON.parse(text).clients
}

/** Whole or not at all: a gateway may be reading it. What it would not read is not written. */
const write = (file: string, clients: readonly Listed[]): void => {
  const text = `${JSON.stringify({ clients }, undefined, 2)}\n`
  readClients(text, true)
  const aside = `${file}.${process.pid}`
  writeFileSync(aside, text, { mode: READABLE_BY_OWNER })
  renameSync(aside, file)
}

const settingsOf = (values: Values): Listed => {
  const credits = {
    creditsPerDay: values['credits-per-day'],
    creditsPerMonth: values['credits-per-month'],
    creditsPerOperation: values['credits-per-operation'],
    slots: values.slots,
    operations: values.operations,
  }
  return {
    ...Object.fromEntries(
      Object.entries(credits)
        .filter(([, text]) => text !== undefined)
        .map(([name, text]) => [name, Number(text)]),
    ),
    ...(values.premium && { premium: true }),
    ...(values['documents-only'] && { documentsOnly: true }),
    ...(values.document && { documents: values.document }),
    ...(values['no-reports'] && { reports: false }),
  }
}

/** A further key has the settings of the first: others would be a client that is two. */
const refuseOthers = (file: string, name: string, known: Listed, settings: Listed): void => {
  const other = Object.entries(settings).find(([setting, value]) => {
    return JSON.stringify(known[setting]) !== JSON.stringify(value)
  })
  if (other !== undefined)
    throw new Error(
      `${name} is there already, without ${other[0]}=${other[1]}. Leave the settings out for a further key; to change them, edit each entry of ${name} in ${file}.`,
    )
}

const add = (file: string, name: string, values: Values): string => {
  const clients = existsSync(file) ? clientsIn(readFileSync(file, 'utf8')) : []
  const first = clients.find((client) => client.name === name)
  if (first !== undefined) refuseOthers(file, name, first, settingsOf(values))
  const { keyHash: _, ...known } = first ?? { name }
  const key = `rfr_${randomBytes(32).toString('base64url')}`
  const client = { ...known, ...settingsOf(values), keyHash: `sha256:${digestOf(key)}` }
  write(file, [...clients, client])
  return `${key}\n\nThe key of ${name}, shown this once: ${file} holds its hash.`
}

const shortHash = ({ keyHash }: Listed) => String(keyHash ?? '').replace('sha256:', '')

const list = (file: string): string => {
  const lines = clientsIn(readFileSync(file, 'utf8')).map((client) => {
    const { name, keyHash: _, ...settings } = client
    const told = Object.entries(settings).map(([setting, value]) => `${setting}=${value}`)
    return [name, shortHash(client).slice(0, HASH_SHOWN), ...told].join('  ')
  })
  return lines.length === 0 ? `${file} has no clients.` : lines.join('\n')
}

const revoke = (file: string, name: string, { key = '' }: Values): string => {
  const clients = clientsIn(readFileSync(file, 'utf8'))
  const isMeant = (client: Listed) => client.name === name && shortHash(client).startsWith(key)
  const count = clients.filter(isMeant).length
  if (count === 0) throw new Error(`${file} has no such key of ${name}`)
  write(
    file,
    clients.filter((client) => !isMeant(client)),
  )
  return `${name}: ${counted(count, 'key')} revoked`
}

/** What the command prints; what is wrong with it is thrown. */
export const clientCommand = (args: readonly string[], clientsFile: string | undefined): string => {
  const { values, positionals } = parsedArgs(args)
  const [act = '', name, ...others] = positionals
  const isWhole = act === 'list' ? name === undefined : ACTS.includes(act) && name !== undefined
  if (!isWhole || others.length > 0) throw new Error(USAGE)
  const file = values.file ?? clientsFile
  if (file === undefined || file === '')
    throw new Error('Which file? Set CLIENTS_FILE, or say it with --file.')
  if (name === undefined) return list(file)
  return act === 'add' ? add(file, name, values) : revoke(file, name, values)
}
