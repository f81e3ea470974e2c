const MOST_BREACHES = 20
/** A level of strain is entered after two seconds and left after three; who waited in it may be told later. */
const STRAIN_LASTS = 6_000

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)
const at = (numbers: readonly number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? 0

/** Counts what happens, and keeps what must not. */
export const createWatch = (print: (line: string) => void) => {
  const counts = new Map<string, number>()
  const times = new Map<string, number[]>()
  const breaches: string[] = []
  let [spent, saved, stale] = [0, 0, 0]
  let where = 'start'
  let strains: number[] = []
  let doubts: { readonly at: number; readonly what: string; readonly query: string }[] = []

  const breach = (what: string, query = '') => {
    breaches.push(what)
    if (breaches.length <= MOST_BREACHES)
      print(`BREACH during "${where}": ${what.slice(0, 600)} ${query.slice(0, 200)}`)
  }
  const count = (name: string) => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  return {
    breaches,
    breach,
    count,
    /** What goes on, for what is noted from now on. */
    enter(trouble: string) {
      where = trouble
    },
    /** One of the processes has too little of the machine. */
    strained() {
      strains.push(Date.now())
    },
    /** Somebody was refused for strain, or got nothing in time: to be judged once it is known whether there was some. */
    doubt(what: string, query: string) {
      doubts.push({ at: Date.now(), what, query })
    },
    settle() {
      for (const { at, what, query } of doubts)
        if (strains.some((moment) => Math.abs(moment - at) < STRAIN_LASTS))
          count('refused or late while the machine was too busy')
        else breach(what, query)
      doubts = []
      strains = []
    },
    answered(kind: string, ms: number) {
      const list = times.get(kind) ?? []
      list.push(ms)
      times.set(kind, list)
    },
    told(out: number, kept: number, old: number) {
      spent += out
      saved += kept
      stale += old
    },
    /** Operations that were answered. */
    get operations() {
      return sum([...times.values()].map((list) => list.length))
    },
    /** Credits that clients were told of. */
    get toldSpent() {
      return spent
    },
    print() {
      print(`operations answered: ${this.operations}`)
      for (const [kind, list] of [...times].sort())
        print(
          `  ${kind.padEnd(16)}${String(list.length).padStart(8)}   p50 ${at(list, 0.5).toFixed(0)} ms, p99 ${at(list, 0.99).toFixed(0)} ms, max ${at(list, 1).toFixed(0)} ms`,
        )
      for (const [name, count] of [...counts].sort()) print(`  ${name.padEnd(40)}${count}`)
      print(`told to clients: ${spent} spent, ${saved} saved, ${stale} stale parts`)
    },
  }
}

export type Watch = ReturnType<typeof createWatch>
