import type { IncomingMessage } from 'node:http'

const AUTHORITY = /^https?:\/\/[^/?#]*/i

/**
 * The path that a request asks for, without its query. Where the address is whole, as proxies write it, whose it is
 * counts for nothing here (RFC 9112, 3.2.2), and is left out for all who read it later.
 */
export const pathOf = (request: IncomingMessage): string => {
  const { url = '' } = request
  if (url === '/graphql') return url
  if (AUTHORITY.test(url)) request.url = url.replace(AUTHORITY, '').replace(/^(?!\/)/, '/')
  return request.url?.split('?', 1)[0] ?? ''
}

/**
 * Looks whether the `Host` of requests names one, which a server has to refuse where it does not (RFC 9112, 3.2). Nearly
 * all name the same, so the last that did is known again by its text.
 */
export const createHosts = () => {
  let known: string | undefined
  return ({ headers: { host } }: IncomingMessage): boolean => {
    // An HTTP/1.0 request may have none.
    if (host === undefined || host === known) return true
    if (!URL.canParse(`http://${host}`)) return false
    known = host
    return true
  }
}
