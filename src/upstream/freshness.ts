import type { Standing } from './answer.ts'

/** What an operation asks of answers that are held: RFC 9111's request directives, in milliseconds. */
export interface Directives {
  /** Greatest age of an answer. */
  readonly maxAge?: number | undefined
  /** How long past its freshness an answer is still welcome. */
  readonly maxStale?: number | undefined
  /** Nothing is to be spent: what is not held is not asked for. */
  readonly onlyIfCached?: boolean | undefined
}

/**
 * Whether a held answer serves as if it were new. One as young as the operation itself always does; `stretch` lengthens
 * the freshness of all while credits run short.
 */
export const isWelcome = (
  { at, freshUntil }: Pick<Standing, 'at' | 'freshUntil'>,
  { maxAge, maxStale = 0 }: Directives,
  since: number,
  now: number,
  stretch = 1,
): boolean => {
  if (at >= since) return true
  const until = at + (freshUntil - at) * stretch + maxStale
  return now < until && (maxAge === undefined || now - at <= maxAge)
}

/** How long past its freshness an answer may stand in while a newer one is fetched behind it. */
export const revalidatesUntil = ({ at, freshUntil }: Standing): number =>
  freshUntil + Math.min(freshUntil - at, 3_600_000)

/** Seconds that stand for all that are more (RFC 9111, 1.2.2). */
const MOST_SECONDS = 2 ** 31

/**
 * The directives of a Cache-Control request header. What is not understood is ignored: any hop may have added it, and
 * the standard makes all of them advice (RFC 9111, 5.2.1).
 */
export const directivesOf = (header: string | null): Directives => {
  if (header === null) return {}
  const directives = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => part.trim().split('='))
      .map(([name = '', value]) => [name.trim(), value?.trim().replaceAll('"', '')]),
  )
  const seconds = (name: string): number | undefined => {
    const value = directives.get(name)
    if (value === undefined || !/^\d+$/.test(value)) return undefined
    return Math.min(Number(value), MOST_SECONDS) * 1000
  }
  const staleAtWill = directives.has('max-stale') && directives.get('max-stale') === undefined
  return {
    maxAge: directives.has('no-cache') ? -1 : seconds('max-age'),
    maxStale: staleAtWill ? Number.POSITIVE_INFINITY : seconds('max-stale'),
    onlyIfCached: directives.has('only-if-cached'),
  }
}

const least = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b)

/** The stricter of two wishes. */
export const stricter = (a: Directives, b: Directives): Directives => ({
  maxAge: least(a.maxAge, b.maxAge),
  maxStale: least(a.maxStale, b.maxStale),
  onlyIfCached: a.onlyIfCached === true || b.onlyIfCached === true,
})
