/** Says what a test measured, on a line of its own: a suite of faults is read by its figures. */
export const figure = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
