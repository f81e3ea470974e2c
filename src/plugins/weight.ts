/** One entry of a list of what a client takes, in lower case. */
export interface Taken {
  readonly name: string
  readonly params: readonly string[]
  readonly weight: number
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** What a list of `Accept` or its kin names (RFC 9110, 12.4.2); a weight that is none counts as one that is not told. */
export const takenIn = (list: string): Taken[] =>
  list
    .toLowerCase()
    .split(',')
    .flatMap((entry) => {
      const [name = '', ...params] = entry.split(';').map((part) => part.trim())
      const [weight] = params.flatMap((param) => WEIGHT.exec(param)?.[1] ?? [])
      return name === '' ? [] : [{ name, params, weight: Number(weight ?? 1) }]
    })

/** The place in a list of the first of these names that is in it: they go from the closest to the widest. */
export const placeOf = (list: readonly Taken[], names: readonly string[]): number | undefined =>
  names.map((name) => list.findIndex((taken) => taken.name === name)).find((place) => place >= 0)
