/** Work that waits, of one client. */
interface Line {
  readonly works: { readonly go: () => void; readonly since: number }[]
  /** When its last one went on. */
  served: number
}

export interface LinesParts {
  /** Milliseconds that the process has worked: what others on the machine have of the time is no wait. */
  readonly work: () => number
  /** Told of each wait of a client, and without a name of those that anybody would have had. */
  readonly tell: (client: string | undefined, ms: number) => void
}

/** The line of all whom nobody knows. */
const NOBODY = ''
/** No client has more connections; more wait only where they are sent on one without waiting for answers. */
const LONGEST = 2_000
const FEW = 8
const MOST = 256
/** Milliseconds of work between two turns that keep nobody waiting. */
const LONGEST_TURN = 20

/**
 * What is asked, in turns that give each client the same, however much it asks. So many go on abreast as a turn of the
 * event loop has time for: one after the other they would each run through all of the code, and leave nothing of it in
 * the processor's caches for the next; all at once they would keep everything else waiting.
 */
export const createLines = ({ work, tell }: LinesParts) => {
  const lines = new Map<string, Line>()
  let abreast = FEW
  let begun: number | undefined
  /** One look at the work is enough for all who come in a turn. */
  let came: number | undefined

  const takeOne = (now: number): boolean => {
    for (const [client, line] of lines) {
      const next = line.works.shift()
      lines.delete(client)
      if (next === undefined) continue
      if (line.works.length > 0) lines.set(client, line)
      const own = now - next.since
      if (client !== NOBODY) tell(client, own)
      tell(undefined, client === NOBODY ? own : Math.min(own, now - line.served))
      line.served = now
      next.go()
      return true
    }
    return false
  }

  const goOn = () => {
    const now = work()
    came = undefined
    // The turn before, with all that came of it.
    if (begun !== undefined)
      abreast = now - begun > LONGEST_TURN ? Math.max(1, abreast >> 1) : Math.min(MOST, 2 * abreast)
    for (let count = 0; count < abreast && takeOne(now); count += 1);
    begun = lines.size > 0 ? now : undefined
    if (begun !== undefined) setImmediate(goOn)
  }

  return {
    /**
     * Lets work of a client go on in its turn; where nobody knows whose it is, in that of all such. False: its line is too
     * long for one more.
     */
    enter(client: string | undefined, go: () => void): boolean {
      const name = client ?? NOBODY
      const line = lines.get(name) ?? { works: [], served: Number.NEGATIVE_INFINITY }
      if (line.works.length >= LONGEST) return false
      if (lines.size === 0) setImmediate(goOn)
      came ??= work()
      line.works.push({ go, since: came })
      lines.set(name, line)
      return true
    },
  }
}
