import { GatewayError } from '../errors.ts'
import type { Item } from '../upstream/window.ts'

type Place = Pick<Item<unknown>, 'position' | 'next'>

/** An opaque cursor: the listing it belongs to, the position, and where the window of the next position begins. */
export const cursorOf = (fingerprint: string, { position, next }: Place): string =>
  Buffer.from(`${fingerprint}.${position}.${next}`).toString('base64url')

const FORM = /^([\w-]{8})\.(\d{1,9})\.(\d{1,9})$/

/** The place that a cursor names; one that is not of this listing is refused. */
export const positionOf = (
  argument: 'after' | 'before',
  cursor: string | null | undefined,
  fingerprint: string,
  cap: number,
): Place | undefined => {
  if (cursor === null || cursor === undefined) return undefined
  const match = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  const place = match && { position: Number(match[2]), next: Number(match[3]) }
  if (
    match?.[1] === fingerprint &&
    place &&
    place.position < cap &&
    place.next <= place.position + 1
  )
    return place
  throw new GatewayError(
    'BAD_USER_INPUT',
    `${argument} must be a cursor of this listing with the same arguments`,
    { argument },
  )
}
