export interface Hit {
  readonly id: number
  /** 1 for the whole name, 0.9 for its beginning, 0.6 elsewhere. */
  readonly strength: number
}

/** Finds ids by a part of the name, letter case aside. */
export type NameIndex = (part: string) => Hit[]

/** The names in one text, a line each, best known first; it is built at its first use. */
export const createNameIndex = (
  ids: () => readonly number[],
  name: (id: number) => string,
): NameIndex => {
  let built: { ids: readonly number[]; text: string; starts: Uint32Array } | undefined
  const build = () => {
    const held = ids()
    const lines = held.map((id) => name(id).toLowerCase())
    const starts = new Uint32Array(lines.length + 1)
    lines.forEach((line, i) => {
      starts[i + 1] = (starts[i] ?? 0) + line.length + 1
    })
    built = { ids: held, text: `${lines.join('\n')}\n`, starts }
    return built
  }
  const lineOf = (starts: Uint32Array, at: number): number => {
    let [low, high] = [0, starts.length - 1]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle
    }
    return low
  }
  return (part) => {
    const { ids: held, text, starts } = built ?? build()
    const wanted = part.toLowerCase().replaceAll('\n', ' ')
    const hits: Hit[] = []
    for (let at = text.indexOf(wanted); at >= 0; ) {
      const line = lineOf(starts, at)
      const end = starts[line + 1] ?? text.length
      const begins = at === starts[line]
      const strength = begins ? (end - at - 1 === wanted.length ? 1 : 0.9) : 0.6
      hits.push({ id: held[line] ?? 0, strength })
      at = text.indexOf(wanted, end)
    }
    return hits.sort((a, b) => b.strength - a.strength)
  }
}
