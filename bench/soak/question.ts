import type { Dice } from './dice.ts'

export interface Question {
  readonly kind: string
  readonly query: string
  readonly headers?: Readonly<Record<string, string>>
  /** What clients may be told, whatever the service does. */
  readonly codes?: readonly string[]
  /** Milliseconds after which the client leaves. */
  readonly leaves?: number
  /** Where the cursor of the next page is, and the question for it. */
  readonly next?: (data: unknown) => Question | undefined
}

/** Asked from the beginning and all the time: held ever since. */
export const HOT: readonly string[] = [
  '{ artist(cmId: 5) { name code2: countryCode imageUrl } }',
  '{ artist(cmId: 7) { name tracks(first: 3) { nodes { track { name isrc } } } } }',
  '{ track(cmId: 5) { name isrc } }',
  '{ album(cmId: 5) { name } }',
  '{ search(query: "river") { artists(first: 3) { nodes { name } } } }',
  '{ playlists(platform: PLAT_B, first: 3) { nodes { name } } }',
  '{ venue(cmId: "5") { name } }',
  '{ festivals(first: 3) { nodes { name } } }',
  '{ radioStations(first: 3) { nodes { name } } }',
]

const WORDS = ['river', 'night', 'paper', 'glass', 'summer', 'stone', 'a', 'north', 'gold', 'blue']
const COUNTRIES = ['US', 'GB', 'DE', 'FR', 'JP', 'BR', 'MX', 'SE']

const LONGEST_WALK = 5

interface Page {
  readonly playlists?: { readonly pageInfo: { readonly endCursor: string | null } } | null
}

const page = (after: string | null, step: number): Question => ({
  kind: 'paging',
  query: `{ playlists(platform: PLAT_C, first: 20${after === null ? '' : `, after: "${after}"`}) { nodes { name } pageInfo { hasNextPage endCursor } } }`,
  next(data) {
    const cursor = (data as Page | null)?.playlists?.pageInfo.endCursor
    return cursor && step < LONGEST_WALK ? page(cursor, step + 1) : undefined
  },
})

const cold = (dice: Dice): string => {
  const id = dice.int(2, 1_000_000)
  return dice.pick([
    `{ artist(cmId: ${id}) { name rank moods { name } } }`,
    `{ track(cmId: ${id}) { name isrc artists { name } } }`,
    `{ album(cmId: ${id}) { name } }`,
    `{ venue(cmId: "${id}") { name events(first: 5) { nodes { name } } } }`,
    `{ artists(cmIds: [${id}, ${id + 1}, ${id + 2}, 5]) { name rank } }`,
  ])
}

/** An operation of twelve requests. */
export const many = (dice: Dice): string => {
  const ids = Array.from({ length: 12 }, () => dice.int(2, 1_000_000))
  return `{ ${ids.map((id, at) => `t${at}: track(cmId: ${id}) { name }`).join(' ')} }`
}

const makers: readonly (readonly [weight: number, make: (dice: Dice) => Question])[] = [
  [30, (dice) => ({ kind: 'hot', query: dice.pick(HOT) })],
  [25, (dice) => ({ kind: 'cold', query: cold(dice) })],
  [10, () => page(null, 1)],
  [
    8,
    (dice) => ({
      kind: 'chart',
      query: `{ charts { platB(countryCode: "${dice.pick(COUNTRIES)}", first: 10) { nodes { rank track { name } artists { name } } } } }`,
    }),
  ],
  [
    6,
    (dice) => ({
      kind: 'search',
      query: `{ search(query: "${dice.pick(WORDS)} ${dice.pick(WORDS)}") { artists(first: 5) { nodes { name } } tracks(first: 5) { nodes { name } } } }`,
    }),
  ],
  [
    4,
    (dice) => ({
      kind: 'premium',
      query: `{ artist(cmId: ${dice.int(2, 5_000)}) { name premium { wherePeopleListen } } }`,
    }),
  ],
  [3, (dice) => ({ kind: 'many', query: many(dice) })],
  [6, (dice) => ({ kind: 'leaving', query: cold(dice), leaves: dice.int(0, 60) })],
  [
    3,
    (dice) => ({
      kind: 'no-cache',
      query: `{ artist(cmId: ${dice.int(2, 20)}) { name rank } }`,
      headers: { 'cache-control': 'no-cache' },
    }),
  ],
  [
    3,
    (dice) => ({
      kind: 'only-if-cached',
      query: cold(dice),
      headers: { 'cache-control': 'only-if-cached' },
      codes: ['NOT_CACHED'],
    }),
  ],
  [
    2,
    (dice) => ({
      kind: 'limited',
      query: many(dice),
      headers: { 'x-credits-limit': '2' },
      codes: ['CREDIT_LIMIT_EXCEEDED'],
    }),
  ],
  [
    2,
    (dice) => ({
      kind: 'price',
      query: many(dice),
      headers: { 'x-credits-plan': 'only' },
    }),
  ],
  [
    2,
    (dice) => ({
      kind: 'wrong',
      query: dice.pick([
        '{ artist(cmId: 5) { nothing } }',
        '{ artist(cmId: 0) { name } }',
        '{ artist(cmId: 5) {',
        `{ artist(cmId: 5) { ${'name '.repeat(3_000)} } }`,
      ]),
      codes: ['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED'],
    }),
  ],
]
const TOTAL = makers.reduce((sum, [weight]) => sum + weight, 0)

/** What a client may ask next. */
export const questionOf = (dice: Dice): Question => {
  let left = dice.roll() * TOTAL
  for (const [weight, make] of makers) {
    left -= weight
    if (left < 0) return make(dice)
  }
  return page(null, 1)
}
