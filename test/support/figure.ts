/** Says what a test measured, its row before the figure, on a line of its own: a suite of faults is read by its figures. */
export const figure = (...parts: readonly string[]): void => {
  process.stdout.write(`${parts.join(': ')}\n`)
}
