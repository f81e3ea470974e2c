import { GatewayError, shown } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import type { Args, Param } from './params.ts'
import type { WireRequest } from './transport/send.ts'

/** An endpoint with checked, canonical arguments. */
export interface Asked<V = unknown> {
  readonly endpoint: Endpoint<V>
  readonly args: Args
}

/** What is asked, ready to be sent; `key` is what identity means everywhere. */
export interface Request<V = unknown> extends Asked<V> {
  readonly key: string
  readonly wire: WireRequest
}

const refuse = (argument: string, expected: string, got: string): GatewayError =>
  new GatewayError('BAD_USER_INPUT', `${argument} must be ${expected}, got ${got}`, { argument })

const checkOne = (name: string, param: Param, value: unknown): unknown => {
  const checked = param.kind.check(value)
  if (checked !== undefined) return checked
  const named = param.kind.name?.(value)
  throw refuse(name, param.kind.doc, named ?? shown(value))
}

const checkMany = (name: string, param: Param, value: unknown): unknown => {
  if (!Array.isArray(value)) throw refuse(name, `a list, each ${param.kind.doc}`, shown(value))
  const distinct = [...new Set(value.map((item) => checkOne(name, param, item)))].sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
  )
  if (distinct.length > (param.most ?? Number.POSITIVE_INFINITY))
    throw refuse(name, `at most ${param.most} different values`, String(distinct.length))
  return distinct.length === 0 && !param.required ? undefined : distinct
}

/** The arguments as they count: each within its bound, defaults filled in, lists sorted and without repeats. */
export const checkArgs = (endpoint: Endpoint, given: Args): Args => {
  const args: Record<string, unknown> = {}
  for (const name in given)
    if ((given[name] ?? undefined) !== undefined && !Object.hasOwn(endpoint.params, name))
      throw new GatewayError('BAD_USER_INPUT', `${name} is not taken by ${endpoint.name}`, {
        argument: name,
      })
  for (const [name, param] of endpoint.parameters) {
    const value = given[name] ?? param.initial
    if (value === undefined) {
      if (param.required) throw refuse(name, param.kind.doc, 'nothing')
      continue
    }
    const checked = param.many ? checkMany(name, param, value) : checkOne(name, param, value)
    if (checked !== undefined) args[name] = checked
  }
  for (const rule of endpoint.rules) {
    const argument = rule.broken(args)
    if (argument === undefined) continue
    throw new GatewayError(
      'BAD_USER_INPUT',
      `${argument}: ${rule.doc}, got ${shown(args[argument] ?? 'nothing')}`,
      { argument },
    )
  }
  return args
}

const encode = (text: string): string => encodeURIComponent(text)

const written = (param: Param, value: unknown): string[] =>
  (param.many && Array.isArray(value) ? value : [value]).map((item) => param.kind.write(item))

const named = (param: Param, value: unknown): readonly (readonly [string, string])[] =>
  param.kind.pairs?.(value) ??
  written(param, value).map((text) => [`${encode(param.wire)}${param.many ? '[]' : ''}`, text])

const NO_HEADERS: Readonly<Record<string, string>> = {}

/** A JSON list of the method, the target, the body and the headers; most have neither of these two, and a target is encoded. */
const keyOf = (
  { method }: Endpoint,
  target: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
): string => {
  if (body === undefined && headers === NO_HEADERS) return `["${method}","${target}","",[]]`
  return JSON.stringify([method, target, body ?? '', Object.entries(headers)])
}

/** A request of an endpoint: what the service would refuse is refused here, before a credit is spent. */
export const request = <V>(endpoint: Endpoint<V>, given: Args): Request<V> => {
  const args = checkArgs(endpoint, given)
  let path = endpoint.path
  const pairs: string[] = []
  let headers = NO_HEADERS
  const payload: Record<string, unknown> = {}
  for (const [name, param] of endpoint.parameters) {
    const value = args[name]
    if (value === undefined || (param.quiet && value === param.initial)) continue
    if (param.place === 'body') payload[param.wire] = value
    else if (param.place === 'header')
      headers = { ...headers, [param.wire]: written(param, value).join() }
    else if (param.place === 'path')
      path = path.replace(`{${param.wire}}`, encode(written(param, value).join()))
    else for (const [wire, text] of named(param, value)) pairs.push(`${wire}=${encode(text)}`)
  }
  const target = pairs.length === 0 ? path : `${path}?${pairs.sort().join('&')}`
  const body = endpoint.method === 'POST' ? JSON.stringify(payload) : undefined
  const { method, name, credits } = endpoint
  const wire: WireRequest = { method, path: target, credits, endpoint: name, headers }
  return {
    endpoint,
    args,
    key: keyOf(endpoint, target, body, headers),
    wire: body === undefined ? wire : { body, ...wire },
  }
}

const LONGEST_WORDS = 300

/** A request as one reads it. */
export const wordsOf = ({ wire: { method, path, body } }: Request): string => {
  const words = body === undefined ? `${method} ${path}` : `${method} ${path} ${body}`
  return words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words
}
