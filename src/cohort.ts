/** Work that waits for its turn. */
export interface Work {
  goOn(): void
}

/** Lets work go on. */
export type Together = (work: Work) => void

/**
 * Lets what came within one turn of the event loop go on together: one after the other they would each run through all
 * of the code, and leave nothing of it in the processor's caches for the next; abreast they run through each part once.
 */
export const createCohort = (): Together => {
  let waiting: Work[] = []
  const goOn = () => {
    const all = waiting
    waiting = []
    for (const work of all) work.goOn()
  }
  return (work) => {
    if (waiting.length === 0) setImmediate(goOn)
    waiting.push(work)
  }
}
