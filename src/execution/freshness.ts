import type { Served } from '../upstream/served.ts'

const DAY = 86_400

const inSeconds = (ms: number): number => Math.floor(ms / 1000)

/**
 * `Age`, `Cache-Control` and `Cache-Status` (RFC 9211) of an answer: as old as its oldest part, good as long as the one
 * whose life ends first. An answer with errors, or made of nothing that is kept, is not to be kept either.
 */
export const freshnessHeaders = (
  { oldest, remaining, sources }: Pick<Served, 'oldest' | 'remaining' | 'sources'>,
  isWhole: boolean,
): Record<string, string> => {
  if (oldest === undefined || remaining === undefined) return { 'cache-control': 'no-store' }
  const isHit = !sources.has('sent') && !sources.has('merged')
  const life = Math.min(inSeconds(remaining), 365 * DAY)
  const status = isHit
    ? `refrain; hit; ttl=${life}`
    : `refrain; fwd=${sources.has('cache') || sources.has('stale') ? 'partial' : 'miss'}; stored`
  return {
    age: String(inSeconds(oldest)),
    'cache-control':
      isWhole && life > 0 ? `public, max-age=${inSeconds(oldest) + life}` : 'no-store',
    'cache-status': status,
  }
}
