import type { IncomingMessage } from 'node:http'

/** Headers that a page of another site cannot send without being allowed to by name. */
const OURS = ['x-api-key', 'authorization', 'x-credits-limit', 'x-credits-plan', 'x-credits-report']

const isJson = (type: string | undefined): boolean =>
  /^application\/(json|graphql-response\+json)\b/i.test(type?.trim() ?? '')

/**
 * Whether a browser sends this from a page of another site that nobody allowed: such a page can send a GET without
 * asking first, and must not spend credits with it. No page chooses the origin that its scripts send.
 */
export const isForged = (
  { method, headers }: IncomingMessage,
  isAllowed: (origin: string | undefined) => boolean,
): boolean =>
  method === 'GET' &&
  headers['sec-fetch-site'] === 'cross-site' &&
  !isAllowed(headers.origin) &&
  !OURS.some((name) => headers[name] !== undefined) &&
  !isJson(headers['content-type'])
