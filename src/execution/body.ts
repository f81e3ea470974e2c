import { hash } from 'node:crypto'

const LENGTH = 22
const JSON_TYPE = /^application\/(graphql-response\+)?json\b/

/** Whether a body of this type is an answer of GraphQL. */
export const isJson = (type: string | undefined): boolean => JSON_TYPE.test(type ?? '')

/** The beginning of a body, up to what is told beside the data. */
export const dataOf = (data: unknown): string => `{"data":${JSON.stringify(data)}`

/** The end of a body, with what is told beside the data. */
export const endOf = (extensions: object): string =>
  Object.keys(extensions).length === 0 ? '}' : `,"extensions":${JSON.stringify(extensions)}}`

/** Letters of a text that is sent in one piece with its head; a longer one waits outside of the heap for slow readers. */
const SHORT = 16_384

/** A body in the form in which it is sent for the least. */
export const sendable = (body: string): Buffer | string =>
  body.length > SHORT ? Buffer.from(body) : body

/** A weak validator (RFC 9110): of an answer that of its data, whatever is told of credits beside them. */
export const etagOf = (data: Buffer | string): string =>
  `W/"${hash('sha1', data, 'base64url').slice(0, LENGTH)}"`
