/** Prints the figure of a row in one line. */
export const report = (row: string, figure: string): void => {
  process.stdout.write(`${row}: ${figure}\n`)
}
