import { GatewayError, quoted } from '../errors.ts'
import type { Place } from '../upstream/window.ts'

/** An opaque cursor: the listing it belongs to, the place of its row, the window in which that counts, and what was empty there. */
export const cursorOf = (fingerprint: string, { position, start, width, empty }: Place): string => {
  const place = [position, start, width, empty].filter((number) => number !== undefined)
  return Buffer.from([fingerprint, ...place].join('.')).toString('base64url')
}

const FORM = /^([\w-]{8})\.(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:\.(\d{1,2}))?$/

/** The place that a cursor names; one that is not of this listing is refused. */
export const positionOf = (
  argument: 'after' | 'before',
  cursor: string | null | undefined,
  fingerprint: string,
  cap: number,
): Place | undefined => {
  if (cursor === null || cursor === undefined) return undefined
  const match = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (match?.[1] === fingerprint) {
    const [position = 0, start, width, empty] = match
      .slice(2)
      .flatMap((text) => (text ? Number(text) : []))
    if (position < cap && (start ?? 0) <= position + 1) return { position, start, width, empty }
  }
  throw new GatewayError(
    'BAD_USER_INPUT',
    `${argument} must be a cursor of this listing with the same arguments, got ${quoted(cursor)}`,
    { argument },
  )
}
