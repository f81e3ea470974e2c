// What is asked. `variables` make the n-th operation; a cold one is new to every cache. `next` goes on from an answer.
const ARTIST =
  'cmId name countryCode imageUrl rank score genres { primary { name } secondary { name } } careerStatus { stage trend } statistics { platAFollowers platAMonthlyListeners }'
const CHART =
  'query W2($date: Date!) { charts { platB(countryCode: "US", date: $date, first: 100) { nodes { rank name artistCredits { name artist { name score genres { primary { name } secondary { name } } careerStatus { stage } } } } } } }'
const day = (n) => new Date(946_684_800_000 + n * 86_400_000).toISOString().slice(0, 10)
const PAGES = 20

export const WORKLOADS = {
  W1: {
    title: 'one artist, cold',
    query: `query W1($id: Int!) { artist(cmId: $id) { ${ARTIST} } }`,
    variables: (n) => ({ id: 10_000_000 + n }),
    stride: 200_000,
  },
  W2cold: {
    title: 'a chart of 100 rows with 60 artists, cold',
    query: CHART,
    variables: (n) => ({ date: day(n) }),
    stride: 400,
  },
  W2hot: {
    title: 'the same again',
    query: CHART,
    variables: () => ({ date: '1999-01-05' }),
    stride: 0,
  },
  W3: {
    title: 'artist, track and album, hot',
    query: `query W3($id: Int!) { artist(cmId: $id) { ${ARTIST} } track(cmId: $id) { name isrc durationMs releaseDate isExplicit artists { cmId name } albumCredits { name label } } album(cmId: $id) { name label upc releaseDate artists { cmId name } } }`,
    variables: () => ({ id: 1_000_007 }),
    stride: 0,
  },
  W4: {
    title: 'pages of 50 playlists, 20 of each list',
    query:
      'query W4($after: String, $tag: Int!) { playlists(platform: PLAT_B, first: 50, after: $after, filter: { tagIds: [$tag] }) { nodes { cmId name followers ownerName isEditorial lastUpdated } pageInfo { endCursor } } }',
    variables: (n, last) => ({
      tag: 1 + Math.floor(n / PAGES),
      after: n % PAGES === 0 ? null : (/"endCursor":"([^"]+)"/.exec(last)?.[1] ?? null),
      offset: undefined,
    }),
    floor: (n) => ({ tag: 1 + Math.floor(n / PAGES), offset: (n % PAGES) * 50 }),
    stride: 200_000,
    connections: 8,
    /** Each connection walks lists of its own. */
    apart: 20_000,
  },
  W5: {
    title: 'one track with its artists, 100 documents, cold',
    query: (n) =>
      `query Q${n % 100}($id: Int!) { t${n % 100}: track(cmId: $id) { name artists { cmId name imageUrl } } }`,
    variables: (n) => ({ id: 20_000_000 + n }),
    stride: 100_000,
  },
  W5link: {
    title: 'the same through the artists’ own records',
    query: (n) =>
      `query L${n % 100}($id: Int!) { t${n % 100}: track(cmId: $id) { name artistNames artists { id name imageUrl } } }`,
    variables: (n) => ({ id: 40_000_000 + n }),
    stride: 100_000,
  },
}

export const bodyOf = (name, n, last, isFloor) => {
  const { query, variables, floor = variables } = WORKLOADS[name]
  if (isFloor) return JSON.stringify({ n, variables: floor(n, last) })
  const text = typeof query === 'function' ? query(n) : query
  return JSON.stringify({ query: text, variables: variables(n, last) })
}
