import { ANONYMOUS, type Client, ROUTER } from '../clients/client.ts'
import type { Served, Source } from '../upstream/served.ts'

const DAY = 86_400

export const inSeconds = (ms: number): number => Math.floor(ms / 1000)

/** The words for what all came for one reason. */
const ALONE: Readonly<Partial<Record<Source, string>>> = {
  merged: 'miss; collapsed',
  miss: 'miss',
  expired: 'stale',
  request: 'request',
}

/** Why an answer was not taken from what is held, as RFC 9211 words it; a part that was is another's miss. */
const forwardOf = (sources: ReadonlySet<Source>): string | undefined => {
  const held = Number(sources.has('cache')) + Number(sources.has('stale'))
  if (held === sources.size) return undefined
  if (held > 0) return 'partial'
  const [reason] = sources
  return sources.size === 1 && reason !== undefined ? ALONE[reason] : 'miss'
}

/** Who may keep an answer and is told how old it is: all, whoever asked, or nobody. */
export type Audience = 'public' | 'private' | 'none'

export const audienceOf = ({ name, reports }: Client): Audience => {
  if (!reports) return 'none'
  return name === ANONYMOUS || name === ROUTER ? 'public' : 'private'
}

/**
 * `Age`, `Cache-Control` and `Cache-Status` (RFC 9211) of an answer: as old as its oldest part, good as long as the one
 * whose life ends first. An answer with errors, or made of nothing that is kept, is not to be kept either.
 */
export const freshnessHeaders = (
  { oldest, remaining, sources }: Pick<Served, 'oldest' | 'remaining' | 'sources'>,
  isWhole: boolean,
  audience: Audience,
): Record<string, string> => {
  if (audience === 'none' || oldest === undefined || remaining === undefined)
    return { 'cache-control': 'no-store' }
  const life = Math.min(inSeconds(remaining), 365 * DAY)
  const forward = forwardOf(sources)
  return {
    age: String(inSeconds(oldest)),
    'cache-control':
      isWhole && life > 0 ? `${audience}, max-age=${inSeconds(oldest) + life}` : 'no-store',
    'cache-status':
      forward === undefined ? `refrain; hit; ttl=${life}` : `refrain; fwd=${forward}; stored`,
  }
}
