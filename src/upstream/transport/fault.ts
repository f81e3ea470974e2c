import type { ErrorCode } from '../../errors.ts'
import { GatewayError } from '../../errors.ts'

/** What the layers above need to know of an attempt that brought no answer. */
export interface FaultFacts {
  /** Whether the request's headers went out; if not, nothing was billed. */
  readonly sent: boolean
  /** Whether the same request may fare better at once. */
  readonly repeatable: boolean
}

/**
 * An attempt without a whole answer. It carries no cause on purpose: undici's errors lead to the
 * request, and the request to the Authorization header.
 */
export class WireFault extends GatewayError implements FaultFacts {
  readonly sent: boolean
  readonly repeatable: boolean

  constructor(code: ErrorCode, message: string, { sent, repeatable }: FaultFacts) {
    super(code, message)
    this.sent = sent
    this.repeatable = repeatable
  }
}

const CERTIFICATE = /CERT|SIGNATURE|^ERR_(SSL|TLS)|^EPROTO$/
const CUT = /^(UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_INVALID_EOF_STATE)$/
const GARBLED = /^(HPE_|HTTPParserError$|UND_ERR_HEADERS_OVERFLOW$)/
const LATE = /^(UND_ERR_(HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/
const UNWRITABLE = /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/
const CLOSED = /^UND_ERR_(DESTROYED|CLOSED)$/

const codeOf = (error: unknown) => {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** The one place that reads undici's and Node's error codes. */
export const faultOf = (error: unknown, endpoint: string, sent: boolean): WireFault => {
  const code = codeOf(error)
  const fault = (word: ErrorCode, what: string, repeatable: boolean) =>
    new WireFault(word, `${endpoint}: ${what} (${code})`, { sent, repeatable })
  if (!sent) {
    if (CERTIFICATE.test(code))
      return fault('UPSTREAM_UNAVAILABLE', 'the upstream has no valid certificate', false)
    if (UNWRITABLE.test(code))
      return fault('UPSTREAM_REJECTED', 'the request cannot be written as HTTP', false)
    return fault('UPSTREAM_UNAVAILABLE', 'the upstream cannot be reached', !CLOSED.test(code))
  }
  if (LATE.test(code)) return fault('TIMEOUT', 'the upstream did not answer in time', false)
  if (GARBLED.test(code) && !CUT.test(code))
    return fault('UPSTREAM_BAD_RESPONSE', 'the upstream did not speak HTTP', false)
  return fault('UPSTREAM_UNAVAILABLE', 'the connection broke before the answer was whole', true)
}
