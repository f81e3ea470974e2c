/** How often a property is tried, and from which seed. */
export interface Effort {
  readonly numRuns: number
  readonly seed: number
}

/** So many tries, from a seed of its own or the one that is given; SEED and RUNS try again what failed. */
export const effortOf = (runs: number, given = Math.floor(Math.random() * 2 ** 31)) => {
  const effort: Effort = {
    numRuns: Number(process.env.RUNS ?? runs),
    seed: Number(process.env.SEED ?? given),
  }
  return { effort, title: `SEED=${effort.seed} RUNS=${effort.numRuns}` }
}

/** The same tries with every commit; the night draws others, and more. */
export const EVERY_COMMIT = 20_260_310
