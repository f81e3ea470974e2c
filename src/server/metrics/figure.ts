import type { Gateway } from '../../gateway.ts'

/** A value, and what it is of where there are several. */
export type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>]

/** A number that is known somewhere and read when somebody asks. */
export interface Figure {
  readonly name: string
  readonly help: string
  /** A counter only grows: what was taken back is seen with what comes next. */
  readonly kind: 'counter' | 'gauge'
  readonly labels?: readonly string[]
  readonly read: (gateway: Gateway) => readonly Sample[]
}

export const SECOND = 1000

export const one = (value: number | boolean): readonly Sample[] => [[Number(value)]]

/** One for the word that holds and nothing for the others. */
export const among = (label: string, words: readonly string[], now: string): readonly Sample[] =>
  words.map((word) => [Number(word === now), { [label]: word }])
