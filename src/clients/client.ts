import { hash } from 'node:crypto'

/** Who asks, and what that is good for. */
export interface Client {
  readonly name: string
  readonly creditsPerDay?: number
  readonly creditsPerMonth?: number
  readonly creditsPerOperation?: number
  /** Requests to the service that it may have on their way at once. */
  readonly slots?: number
  /** Operations that it may have sending for something at once, in each process. */
  readonly operations?: number
  /** Whether it may ask what costs two credits. */
  readonly premium: boolean
  /** Whether it is bound to trusted documents. */
  readonly documentsOnly: boolean
  /** Of the trusted documents, those that it is bound to, by their hashes; undefined: all. */
  readonly documents?: readonly string[]
  /** Whether it is told costs and ages. */
  readonly reports: boolean
}

/** A client as the file has it; without a key it comes by token only. */
export interface Entry {
  readonly client: Client
  /** SHA-256 of its key, in hex. */
  readonly keyHash: string | undefined
}

/** Whoever asks where nobody has to say who asks. */
export const ANONYMOUS = 'anonymous'
export const ROUTER = 'router'
/** All who are not known, or not yet; no client may be called so. */
export const STRANGERS = 'all strangers'
/** Operations that may send for something at once, whosever they are; who comes later is given what is held or on its way. */
export const MOST_OPERATIONS = 512
/** What a client may of which nothing is said. */
export const RIGHTS = { premium: false, documentsOnly: false, reports: true, operations: 32 }
const RESERVED = [ANONYMOUS, ROUTER, 'others']

export const digestOf = (key: string): string => hash('sha256', key)

const NAME = /^[\x21-\x7e]{1,100}$/
/** Whether a client may be called so. */
export const isName = (name: unknown): name is string =>
  typeof name === 'string' && NAME.test(name) && !RESERVED.includes(name)

const isCount = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 1_000_000_000
const isFlag = (value: unknown) => typeof value === 'boolean'

const MEMBERS: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  name: [isName, `1 to 100 characters without space, and none of ${RESERVED.join(', ')}`],
  keyHash: [(value) => /^sha256:[0-9a-f]{64}$/.test(String(value)), 'sha256: and 64 hex digits'],
  creditsPerDay: [isCount, 'a whole number of credits'],
  creditsPerMonth: [isCount, 'a whole number of credits'],
  creditsPerOperation: [isCount, 'a whole number of credits'],
  slots: [(value) => isCount(value) && value !== 0, 'a whole number of 1 or more'],
  operations: [
    (value) => isCount(value) && Number(value) >= 1 && Number(value) <= MOST_OPERATIONS,
    `a whole number from 1 to ${MOST_OPERATIONS}`,
  ],
  premium: [isFlag, 'true or false'],
  documentsOnly: [isFlag, 'true or false'],
  documents: [
    (value) => Array.isArray(value) && value.every((hash) => typeof hash === 'string'),
    'a list of hashes',
  ],
  reports: [isFlag, 'true or false'],
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entryOf = (value: unknown, at: number, needed: readonly string[]): Entry => {
  if (!isObject(value)) throw new Error(`no object as client ${at + 1}`)
  const place = isName(value.name) ? `client ${value.name}` : `client ${at + 1}`
  for (const member of needed)
    if (!Object.hasOwn(value, member)) throw new Error(`${place} without a ${member}`)
  for (const [member, given] of Object.entries(value)) {
    const [fits, expected] = (Object.hasOwn(MEMBERS, member) && MEMBERS[member]) || []
    if (fits === undefined)
      throw new Error(`${JSON.stringify(member.slice(0, 60))} in ${place}, which means nothing`)
    if (!fits(given)) throw new Error(`${member} of ${place} that is not ${expected}`)
  }
  const { keyHash, ...settings } = value
  const client = { ...RIGHTS, ...settings } as unknown as Client
  return {
    client: client.documents === undefined ? client : { ...client, documentsOnly: true },
    keyHash: keyHash === undefined ? undefined : String(keyHash).replace('sha256:', ''),
  }
}

/** The name of the first client that is answered trusted documents only; undefined where none is. */
export const boundIn = (entries: readonly Entry[]): string | undefined =>
  entries.find(({ client }) => client.documentsOnly)?.client.name

/** Everything that is said of a client, as one text. */
export const markOf = (client: Client): string =>
  JSON.stringify(Object.entries(client).sort(([a], [b]) => (a < b ? -1 : 1)))

/** A complaint of the parser would quote the text, and somebody may have put a key there. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('no JSON')
  }
}

/**
 * Reads a file of clients. A client may have several keys, each an entry that says the same of it;
 * where there are tokens, it needs none. Throws what is wrong.
 */
export const readClients = (text: string, byToken = false): Entry[] => {
  const file = parsed(text)
  if (!isObject(file) || !Array.isArray(file.clients)) throw new Error('no list under "clients"')
  const needed = byToken ? ['name'] : ['name', 'keyHash']
  const entries = file.clients.map((value, at) => entryOf(value, at, needed))
  const byName = new Map<string, string>()
  const hashes = new Set<string>()
  for (const { client, keyHash } of entries) {
    const known = byName.get(client.name) ?? markOf(client)
    if (known !== markOf(client))
      throw new Error(`client ${client.name} twice, with other settings`)
    byName.set(client.name, known)
    if (keyHash !== undefined && hashes.has(keyHash))
      throw new Error(`one key twice, at client ${client.name}`)
    if (keyHash !== undefined) hashes.add(keyHash)
  }
  return entries
}
