import type { Endpoint } from '../upstream/endpoint.ts'
import { isObject } from '../upstream/envelopes.ts'
import type { Param } from '../upstream/params.ts'
import { DEFAULT_LIMITS } from './defaults.ts'

/** Where the values of a request are. */
export interface Given {
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The text of a POST. */
  readonly body: string
}

/** Arguments by wire name, or what is wrong. */
export type Checked =
  | { readonly args: Readonly<Record<string, unknown>> }
  | { readonly error: string }

class Refused extends Error {}
const refuse = (name: string, complaint: string): never => {
  throw new Refused(`'${name}' ${complaint}`)
}

/** Arrays that the specification wants unique. */
const UNIQUE = new Set(['ids', 'userListIds', 'shortListIds'])

const payloadOf = (endpoint: Endpoint, body: string): Record<string, unknown> => {
  if (endpoint.method !== 'POST') return {}
  let payload: unknown
  try {
    payload = JSON.parse(body)
  } catch {
    throw new Refused('the body is not JSON')
  }
  if (!isObject(payload)) throw new Refused('the body must be an object')
  const known = Object.values(endpoint.params).filter(({ place }) => place === 'body')
  for (const name of Object.keys(payload))
    if (!known.some(({ wire }) => wire === name)) refuse(name, 'is not allowed')
  return payload
}

/** The values of a parameter as they came; undefined where it is absent. */
const rawOf = (param: Param, given: Given, payload: Record<string, unknown>): unknown => {
  switch (param.place) {
    case 'path':
      return decodeURIComponent(given.path[param.wire] ?? '')
    case 'header':
      return given.headers[param.wire]
    case 'body':
      return payload[param.wire]
    default: {
      const texts = given.query.getAll(param.many ? `${param.wire}[]` : param.wire)
      if (texts.length === 0) return undefined
      if (param.many) return texts
      return texts.length === 1 ? texts[0] : refuse(param.wire, 'must not be an array')
    }
  }
}

const readValue = ({ kind, place, wire }: Param, raw: unknown): unknown => {
  const read = place === 'body' || typeof raw !== 'string' ? raw : kind.read(raw)
  const value = read === undefined ? undefined : kind.check(read)
  const rewritten = typeof read === 'string' && read !== value
  return value === undefined || rewritten ? refuse(wire, `must be ${kind.doc}`) : value
}

const checkedOf = (param: Param, raw: unknown): unknown => {
  if (!param.many) return readValue(param, raw)
  if (!Array.isArray(raw)) return refuse(param.wire, 'must be an array')
  const values = raw.map((one) => readValue(param, one))
  if (values.length > (param.most ?? Number.POSITIVE_INFINITY))
    refuse(param.wire, `must have at most ${param.most} items`)
  if (param.required && values.length === 0) refuse(param.wire, 'must not be empty')
  if (UNIQUE.has(param.wire) && new Set(values).size < values.length)
    refuse(param.wire, 'must have different items')
  return values
}

/** Stands for every parameter that is not documented, where the specification shows none at all. */
const isOpen = ({ wire }: Param): boolean => wire === ''

const refuseUnknown = (endpoint: Endpoint, query: URLSearchParams): void => {
  if (Object.values(endpoint.params).some(isOpen)) return
  const known = Object.values(endpoint.params)
    .filter(({ place }) => place === 'query')
    .map(({ many, wire }) => (many ? `${wire}[]` : wire))
  for (const name of query.keys()) if (!known.includes(name)) refuse(name, 'is not allowed')
}

const initialOf = (endpoint: Endpoint, { initial, wire }: Param): unknown =>
  initial ?? (wire === 'limit' ? DEFAULT_LIMITS[endpoint.name] : wire === 'offset' ? 0 : undefined)

const checkAll = (endpoint: Endpoint, given: Given): Record<string, unknown> => {
  refuseUnknown(endpoint, given.query)
  const payload = payloadOf(endpoint, given.body)
  const byWire: Record<string, unknown> = {}
  const byName: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(endpoint.params)) {
    if (isOpen(param)) continue
    const raw = rawOf(param, given, payload)
    if (raw === undefined && param.required) refuse(param.wire, 'is required')
    const value = raw === undefined ? initialOf(endpoint, param) : checkedOf(param, raw)
    if (value === undefined) continue
    byWire[param.wire] = value
    byName[name] = value
  }
  for (const rule of endpoint.rules)
    if (rule.broken(byName) !== undefined) throw new Refused(rule.doc)
  return byWire
}

/** Reads a request as strictly as the service does: what is not documented, or out of bounds, is refused. */
export const check = (endpoint: Endpoint, given: Given): Checked => {
  try {
    return { args: checkAll(endpoint, given) }
  } catch (error) {
    if (error instanceof Refused) return { error: error.message }
    if (error instanceof URIError) return { error: 'the path is not well encoded' }
    throw error
  }
}
