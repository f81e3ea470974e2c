import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import tls from 'node:tls'

const tagged = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]) => tagged(0x30, ...parts)
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const TRUE = Buffer.from([0x01, 0x01, 0xff])

const SIGNED_BY_EC_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const ALTERNATIVE_NAMES = oid('551d11')
const BASIC_CONSTRAINTS = oid('551d13')

const named = (name: string) =>
  sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(name)))))
const moment = (at: Date) =>
  tagged(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`))
const addressOf = (host: string) =>
  /^[\d.]+$/.test(host)
    ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
    : tagged(0x82, Buffer.from(host))

/** A certificate that vouches for itself, and its key, both as PEM. */
export const createCertificate = ({
  host = '127.0.0.1',
  from = new Date(Date.now() - 86_400_000),
  until = new Date(Date.now() + 86_400_000),
}: {
  readonly host?: string
  readonly from?: Date
  readonly until?: Date
} = {}) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const serial = createHash('sha256').update(spki).digest().subarray(0, 8)
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, tagged(0x04, sequence(TRUE))),
    sequence(ALTERNATIVE_NAMES, tagged(0x04, sequence(addressOf(host)))),
  )
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1]), serial),
    SIGNED_BY_EC_SHA256,
    named(host),
    sequence(moment(from), moment(until)),
    named(host),
    spki,
    tagged(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  const der = sequence(body, SIGNED_BY_EC_SHA256, tagged(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

/** Certificates whose makers are trusted from now on, as by NODE_EXTRA_CA_CERTS; what is returned ends it. */
export const trust = (certificates: readonly { readonly cert: string }[]): (() => void) => {
  const create = tls.createSecureContext
  tls.createSecureContext = (options) => {
    const made = create(options)
    for (const { cert } of certificates) made.context.addCACert(cert)
    return made
  }
  return () => {
    tls.createSecureContext = create
  }
}
