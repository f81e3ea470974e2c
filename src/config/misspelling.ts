import type { Environment } from '../config.ts'
import { VARIABLES } from '../variable.ts'

/** Names so short are like others of other programs by chance. */
const SHORT = 8

/** Letters left out, put in, changed, or swapped with their neighbour: how many of them make one name the other. */
const distance = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const cell = (row: number, at: number) => rows[row]?.[at] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          cell(i - 1, j) + 1,
          cell(i, j - 1) + 1,
          cell(i - 1, j - 1) + same,
          swapped ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return cell(a.length, b.length)
}

const names: readonly string[] = Object.values(VARIABLES).flatMap((theme) => Object.keys(theme))

/** A variable that nobody set, for which this name may stand. */
const meantBy = (name: string, env: Environment): string | undefined =>
  names.find((known) => {
    const most = Math.min(name.length, known.length) < SHORT ? 1 : 2
    if (Math.abs(name.length - known.length) > most || (env[known] ?? '') !== '') return false
    return distance(name.toUpperCase(), known) <= most
  })

/** Variables that are set and not read, and are spelt nearly like one that is. */
export function* misspellings(env: Environment) {
  for (const name of Object.keys(env)) {
    if (names.includes(name)) continue
    const meant = meantBy(name, env)
    if (meant !== undefined) yield `${name}: not read, ${meant} may be meant`
  }
}
