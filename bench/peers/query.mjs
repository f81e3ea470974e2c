// The workloads in the peers' schema. Tailcall keeps the member `obj`, because to unwrap it costs it more than half again.
import { bodyOf, WORKLOADS } from '../gateway/workload.mjs'

const MINOR = 'genres { primary { name } secondary { name } } careerStatus'
const ARTIST = `id name code2 imageUrl rank score ${MINOR} { stage trend } statistics { followers monthlyListeners }`

const queries = (obj) => {
  const artist = `artist ${obj(`name score ${MINOR} { stage }`)}`
  const rows = obj === plain ? (text) => `{ ${text} }` : (text) => `{ obj { data { ${text} } } }`
  const chart = `query W2($date: String!) { chartPlatB(countryCode: "US", date: $date) ${rows(`rank name artistNames ${artist}`)} }`
  return {
    W1: () => `query W1($id: Int!) { artist(id: $id) ${obj(ARTIST)} }`,
    W2cold: () => chart,
    W2hot: () => chart,
    W3: () =>
      `query W3($id: Int!) { artist(id: $id) ${obj(ARTIST)} track(id: $id) ${obj('name isrc durationMs releaseDate explicit artists { id name } albums { name label }')} album(id: $id) ${obj('name label upc releaseDate artists { id name }')} }`,
    W4: () =>
      `query W4($offset: Int!, $tag: Int!) { playlistsPlatB(offset: $offset, limit: 50, tagId: $tag) ${obj('id name followers ownerName editorial lastUpdated')} }`,
    W5: (n) =>
      `query Q${n % 100}($id: Int!) { t${n % 100}: track(id: $id) ${obj('name artists { id name imageUrl }')} }`,
    W5link: (n) =>
      `query L${n % 100}($id: Int!) { t${n % 100}: track(id: $id) ${obj(`name artists { artist ${obj('id name imageUrl')} }`)} }`,
  }
}
const plain = (text) => `{ ${text} }`
const wrapped = (text) => `{ obj { ${text} } }`
const OF = { plain: queries(plain), wrapped: queries(wrapped) }

const peerBody = (shape) => (name, n) => {
  const { variables, floor = variables } = WORKLOADS[name]
  return JSON.stringify({ query: OF[shape][name](n), variables: floor(n) })
}

/** How a target is asked for the n-th operation of a workload; `last` is the answer before. */
export const bodyFor = (target) => {
  if (target === 'refrain') return (name, n, last) => bodyOf(name, n, last, false)
  if (target.startsWith('floor')) return (name, n, last) => bodyOf(name, n, last, true)
  return peerBody(target === 'tailcall' ? 'wrapped' : 'plain')
}
