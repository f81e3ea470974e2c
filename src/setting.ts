import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { quoted } from './errors.ts'
import { type Secret, secret } from './upstream/token/secret.ts'
import { type Billed, parseBilled } from './upstream/transport/meter.ts'

/** What the text of a variable may be. */
export interface Kind<T> {
  /** What is expected, in the words of a fault. */
  readonly expected: string
  /** The value; undefined where the text does not fit. */
  read(text: string): T | undefined
  /** How a fault shows the text; absent: as it shows any other. */
  readonly show?: (text: string) => string
}

const length = (text: string) => `${text.length} characters`

/** A number without fraction, both ends included. */
export const whole = (min: number, max: number): Kind<number> => ({
  expected: `a whole number from ${min} to ${max}`,
  read(text) {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  },
})

/** A number above zero, up to `max`. */
export const positive = (max: number): Kind<number> => ({
  expected: `a number above 0, up to ${max}`,
  read(text) {
    const value = /^\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
    return value > 0 && value <= max ? value : undefined
  },
})

/** One of these words. */
export const oneOf = <const T extends string>(...words: T[]): Kind<T> => ({
  expected: `one of ${words.join(', ')}`,
  read: (text) => words.find((word) => word === text),
})

const FLAGS = new Map([
  ...['1', 'on', 'true'].map((word) => [word, true] as const),
  ...['0', 'off', 'false'].map((word) => [word, false] as const),
])

/** A switch. */
export const flag: Kind<boolean> = {
  expected: '1 or 0 (on, off, true and false mean the same)',
  read: (text) => FLAGS.get(text.toLowerCase()),
}

/** A path; whether it can be used is found out by its user. */
export const path: Kind<string> = {
  expected: 'a path',
  read: (text) => (text.includes('\0') ? undefined : text),
}

/** A name or an address to listen on, without scheme or port. */
export const host: Kind<string> = {
  expected: 'a host name or an IP address, without scheme or port',
  read: (text) => (/^([A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45})$/.test(text) ? text : undefined),
}

const urlOf = (text: string) => (URL.canParse(text) ? new URL(text) : undefined)

/** A path of this machine may have any letter in it, and nothing in it lets anybody in. */
const PATH = /^\.{0,2}\/(?!\/)/

/** The text of any setting, without what may let somebody in where it is an address, or holds some. */
export const masked = (text: string): string =>
  PATH.test(text)
    ? text
    : text.replace(/^([a-z]{1,6}:\/\/)?.*@/is, '$1[secret]@').replace(/[?#].*/s, '?[secret]')

/** The same, as a fault quotes it. */
export const quotedSetting = (text: string): string => quoted(masked(text))

/** An option of the command line by its name: what stands behind that may be a secret. */
export const optionOf = (text: string): string => text.replace(/=.*/s, '')

/** Of what names no host, nothing tells which part is a secret. */
const shownUrl = (text: string): string =>
  (urlOf(text)?.host ?? '') === '' ? `${length(text)} that are no URL` : quotedSetting(text)

/** Where paths are appended to: an address without credentials, query or fragment. */
export const baseUrl: Kind<string> = {
  expected: 'an http or https URL without user, password, query or fragment',
  read(text) {
    const url = urlOf(text)
    if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
    if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) return undefined
    return url.href.replace(/(?<!\/)\/+$/, '')
  },
  show: shownUrl,
}

/** A Redis or Valkey, with the number of its database as its path. */
export const redisUrl: Kind<Secret> = {
  expected: 'an address such as rediss://user:password@host:6379/0',
  read(text) {
    const url = urlOf(text)
    if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === '')
      return undefined
    return /^(\/\d{0,5})?$/.test(url.pathname) && !/[?#]/.test(text) ? secret(text) : undefined
  },
  show: shownUrl,
}

/** Processes on this machine. */
export const workers: Kind<number> = {
  expected: 'auto, or a whole number from 1 to 256',
  read: (text) => (text === 'auto' ? availableParallelism() : whole(1, 256).read(text)),
}

/** An address that something is fetched from. */
export const address: Kind<string> = {
  expected: 'an http or https URL without user and password',
  read(text) {
    const url = urlOf(text)
    if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
    return url.username === '' && url.password === '' ? url.href : undefined
  },
  show: shownUrl,
}

/** A name that somebody else chose. */
export const word: Kind<string> = {
  expected: 'up to 1,000 characters without whitespace',
  read: (text) => (/^[\x21-\x7e]{1,1000}$/.test(text) ? text : undefined),
}

const exactOrigin = (text: string) => {
  const url = urlOf(text)
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text
}

/** Exact origins, comma-separated; a pattern or `*` is none. */
export const origins: Kind<readonly string[]> = {
  expected: 'origins such as https://app.example.com, comma-separated, without path or *',
  read(text) {
    const list = text.split(',').map((origin) => origin.trim())
    return list.every(exactOrigin) ? list : undefined
  },
}

const MOST_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...others] = text.split('/')
  const most = MOST_BITS[isIP(address)]
  if (most === undefined || others.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most)
}

/** Addresses and networks, comma-separated; one of all addresses is none. */
export const networks: Kind<readonly string[]> = {
  expected: 'addresses or networks such as 10.0.0.0/8, comma-separated',
  read(text) {
    const list = text.split(',').map((network) => network.trim())
    return list.every(isNetwork) ? list : undefined
  },
}

/** 32 bytes. */
export const key: Kind<Secret> = {
  expected: '32 bytes in base64 (44 characters)',
  read: (text) => (/^[A-Za-z0-9+/]{43}=$/.test(text) ? secret(text) : undefined),
  show: length,
}

/** One secret, or the old and the new one while they change. */
export const secrets: Kind<readonly Secret[]> = {
  expected: 'one secret or two, comma-separated, without whitespace within',
  read(text) {
    const list = text.split(',').map((part) => part.trim())
    return list.length <= 2 && list.every((part) => /^[\x21-\x7e]+$/.test(part))
      ? list.map(secret)
      : undefined
  },
  show: length,
}

/** What the plan bills. */
export const billed: Kind<Billed> = {
  expected: 'all, none, or all-but: with statuses and the word token, such as all-but:401,token',
  read(text) {
    try {
      return parseBilled(text)
    } catch {
      return undefined
    }
  },
}

/** Whether only this machine reaches the host. */
export const isLoopback = (name: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(name)
