import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { Endpoint } from '../../src/upstream/endpoint.ts'
import type { Args } from '../../src/upstream/params.ts'
import { type Request, request } from '../../src/upstream/request.ts'
import { argsOf } from './argument.ts'
import type { Effort } from './effort.ts'

const BASE = 'https://service.example'

/** What a server makes of a request, read from its text alone. */
const received = ({ wire }: Request) => {
  const { pathname, searchParams } = new URL(BASE + wire.path)
  return {
    method: wire.method,
    path: pathname,
    query: [...searchParams].map(([name, value]) => `${name}=${value}`).sort(),
    body: wire.body === undefined ? null : JSON.parse(wire.body),
    headers: wire.headers,
  }
}

const shuffled = (args: Args): Args =>
  Object.fromEntries(
    Object.entries(args)
      .reverse()
      .map(([name, value]) => [
        name,
        Array.isArray(value) ? [...value, ...value].reverse() : value,
      ]),
  )

/** Two argument objects have one key where, and only where, the service receives the same. */
export const keysMeanRequests = (endpoint: Endpoint, effort: Effort): void => {
  const args = argsOf(endpoint)
  const neighbour = fc.tuple(args, args, fc.nat()).map(([a, b, at]): [Args, Args] => {
    const names = Object.keys(b)
    const name = names[at % Math.max(1, names.length)] ?? ''
    const { [name]: _, ...others } = a
    return [
      a,
      at % 3 === 0 ? b : at % 3 === 1 ? others : { ...a, ...(name && { [name]: b[name] }) },
    ]
  })
  const tried = (given: Args): Request | undefined => {
    try {
      return request(endpoint, given)
    } catch {
      return undefined
    }
  }
  fc.assert(
    fc.property(neighbour, ([a, b]) => {
      const [one, other] = [tried(a), tried(b)]
      if (one === undefined) throw new Error('valid arguments were refused')
      if (request(endpoint, shuffled(a)).key !== one.key)
        throw new Error('order or repeats changed the key')
      if (other === undefined) return
      const same = isDeepStrictEqual(received(one), received(other))
      if (same !== (one.key === other.key))
        throw new Error(
          `${same ? 'one request, two keys' : 'two requests, one key'}: ${one.key} ${other.key}`,
        )
    }),
    effort,
  )
}

/** A path, read again as a server reads it, has the segments of its template and the values that were given. */
export const pathsStayInTheirTemplate = (endpoint: Endpoint, effort: Effort): void => {
  const template = endpoint.path.split('/')
  const names = Object.entries(endpoint.params)
  fc.assert(
    fc.property(argsOf(endpoint), (given) => {
      const { args, wire } = request(endpoint, given)
      const url = new URL(BASE + wire.path)
      const segments = url.pathname.split('/')
      const expected = template.map((part) => {
        const wireName = /^\{(\w+)\}$/.exec(part)?.[1]
        if (wireName === undefined) return part
        const name = names.find(([, { wire, place }]) => place === 'path' && wire === wireName)?.[0]
        return String(args[name ?? ''])
      })
      if (url.origin !== BASE || url.hash !== '')
        throw new Error(`${wire.path} leads elsewhere: ${url.href}`)
      if (!isDeepStrictEqual(segments.map(decodeURIComponent), expected))
        throw new Error(`${wire.path} is read as ${url.pathname}`)
    }),
    effort,
  )
}
