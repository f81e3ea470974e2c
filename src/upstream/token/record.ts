import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Board } from '../../board/board.ts'
import { askAround } from '../../board/missed.ts'
import { type Secret, secret } from './secret.ts'

/** What must survive a restart: the newest refresh token above all. */
export interface TokenRecord {
  /** One more with each exchange. */
  readonly gen: number
  readonly accessToken?: Secret | undefined
  /** Moment of expiry, milliseconds since the epoch. */
  readonly accessExp?: number | undefined
  readonly refreshToken: Secret
  readonly prevRefreshToken?: Secret | undefined
  /** Of an exchange that ended after another process had made a later one. */
  readonly orphan?: Secret | undefined
  /** Of the configured token that this line began with. */
  readonly seedHash: string
  /** An exchange that began; left behind by one whose result was never saved. */
  readonly intent?: { readonly at: number } | undefined
}

export const hashOf = (seed: Secret): string => hash('sha256', seed.reveal())

const PREFIX = 'aes-256-gcm:'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The hash stands outside, for one who has lost the key: it says which token not to present again. */
const seal = (text: string, seedHash: string, key: Buffer) => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const bytes = Buffer.concat([nonce, cipher.getAuthTag(), body])
  return `${PREFIX}${seedHash}:${bytes.toString('base64')}`
}

const unseal = (text: string, key: Buffer) => {
  const bytes = Buffer.from(text.slice(text.lastIndexOf(':') + 1), 'base64')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

const write = (record: TokenRecord) =>
  JSON.stringify({
    ...record,
    accessToken: record.accessToken?.reveal(),
    refreshToken: record.refreshToken.reveal(),
    prevRefreshToken: record.prevRefreshToken?.reveal(),
    orphan: record.orphan?.reveal(),
  })

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const secretIn = (value: unknown) => {
  const text = textIn(value)
  return text === undefined ? undefined : secret(text)
}
const numberIn = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

const read = (gen: number, text: string): TokenRecord | undefined => {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return undefined
  const fields = new Map<string, unknown>(Object.entries(value))
  const refreshToken = secretIn(fields.get('refreshToken'))
  const seedHash = textIn(fields.get('seedHash'))
  if (refreshToken === undefined || seedHash === undefined) return undefined
  const intent = fields.get('intent')
  return {
    gen,
    seedHash,
    refreshToken,
    prevRefreshToken: secretIn(fields.get('prevRefreshToken')),
    orphan: secretIn(fields.get('orphan')),
    accessToken: secretIn(fields.get('accessToken')),
    accessExp: numberIn(fields.get('accessExp')),
    intent: typeof intent === 'object' && intent !== null ? { at: intentAt(intent) } : undefined,
  }
}

const intentAt = (intent: object) => ('at' in intent ? (numberIn(intent.at) ?? 0) : 0)

/** What was found: a record, none, or one that cannot be read (another key, another format, damage). */
export interface Found {
  readonly record?: TokenRecord | undefined
  /** Generation of what is there, readable or not. */
  readonly gen?: number | undefined
  readonly unreadable: boolean
  /** It is no record that anybody with any key could read: it was damaged, or somebody else put it there. */
  readonly isSpoilt?: boolean
  /** Of one that cannot be read: the configured token that its line began with, as far as it says. */
  readonly seedHash?: string | undefined
  /** It is not sealed, and lies where others than this process can write. */
  readonly isPlain?: boolean
}

const sealedSeed = (text: string) =>
  text.startsWith(PREFIX) ? /^[0-9a-f]{64}(?=:)/.exec(text.slice(PREFIX.length))?.[0] : undefined

/**
 * The record's one place on the board, sealed when there is a key. Then what is not sealed is no record where others can
 * write: somebody put it there.
 */
export const createRecordBook = (
  board: Board,
  key?: Secret,
  warn: (text: string) => void = () => undefined,
) => {
  const bytes = key === undefined ? undefined : Buffer.from(key.reveal(), 'base64')
  if (bytes !== undefined && bytes.length !== 32)
    throw new Error(`The state key must be 32 bytes in base64, it has ${bytes.length}`)

  let told: string | undefined

  const open = (gen: number, text: string) => {
    try {
      if (!text.startsWith(PREFIX)) return read(gen, text)
      return bytes === undefined ? undefined : read(gen, unseal(text, bytes))
    } catch {
      return undefined
    }
  }

  return {
    isElsewhere: board.isElsewhere,
    async find(): Promise<Found> {
      const sheet = await board.read('token')
      if (sheet === undefined) return { unreadable: false }
      const { gen, text } = sheet
      const record = open(gen, text)
      const isPlain = record !== undefined && !text.startsWith(PREFIX)
      if (isPlain && bytes !== undefined && board.isElsewhere) {
        if (told !== text)
          warn('Redis holds a token record that is not sealed with STATE_KEY: it is not believed')
        told = text
        return { gen, unreadable: true, seedHash: record.seedHash, isPlain }
      }
      const seedHash = sealedSeed(text)
      const unreadable = record === undefined
      return { record, gen, unreadable, isSpoilt: unreadable && seedHash === undefined, seedHash }
    },
    /** Tells when it has changed, or somebody misses it. */
    watch: (changed: () => void) => board.watch?.('token', changed),
    /** Asks whoever knows it for a record that is not there; true where it may be there now. */
    askAround: (sleep: (ms: number) => Promise<void>) => askAround(board, 'token', sleep),
    async copied(): Promise<void> {
      await board.copied?.()
    },
    /** False: somebody else wrote since generation `seen`. */
    keep(record: TokenRecord, seen: number | undefined): Promise<boolean> {
      const text = write(record)
      const sealed = bytes === undefined ? text : seal(text, record.seedHash, bytes)
      return board.write('token', { gen: record.gen, text: sealed }, seen)
    },
  }
}

export type RecordBook = ReturnType<typeof createRecordBook>
