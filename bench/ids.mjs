// 6,000 different artists and tracks, forty at a time and some again: each answer is about what was asked, value by value.
// `npm run bench:ids`; a peer gave another's record for 176 of 6,000.
import { setTimeout as wait } from 'node:timers/promises'
import { artist, track } from './gateway/body.mjs'
import { open, openStub } from './gateway/pair.mjs'

const IDS = Number(process.env.IDS ?? 6_000)
const AT_ONCE = 40
/** A busy machine may turn some away. */
const MOST_TRIES = 20
const FIRST = 30_000_000
/** What the stub's bodies were made of, in place of which it writes the id asked for. */
const MADE_OF = 1_234_567

const written = (text, id) => text.replaceAll(String(MADE_OF), String(id))
const rightArtist = (id) => {
  const { name, image_url: imageUrl, cm_artist_rank: rank } = artist(MADE_OF)
  return { cmId: id, name: written(name, id), imageUrl: written(imageUrl, id), rank }
}
const rightTrack = (id) => {
  const { name, isrc, artists } = track(MADE_OF)
  const credits = artists.map((one) => ({
    cmId: Number(written(String(one.id), id)),
    name: written(one.name, id),
  }))
  return { cmId: id, name: written(name, id), isrc, artists: credits }
}
const QUERY =
  'query Ids($artist: Int!, $track: Int!) { artist(cmId: $artist) { cmId name imageUrl rank } track(cmId: $track) { cmId name isrc artists { cmId name } } }'

openStub()
const { ask } = await open('gateway')
let next = 0
let wrong = 0
let refused = 0
const check = async (at, tries = 1) => {
  const variables = { artist: FIRST + at, track: FIRST / 1000 + at }
  const { text, isWhole } = await ask(JSON.stringify({ query: QUERY, variables }))
  if (!isWhole && tries < MOST_TRIES) {
    refused++
    await wait(500)
    return check(at, tries + 1)
  }
  const right = { artist: rightArtist(variables.artist), track: rightTrack(variables.track) }
  const { data } = JSON.parse(text)
  if (JSON.stringify(data) === JSON.stringify(right)) return
  wrong++
  if (wrong === 1)
    process.stdout.write(`${JSON.stringify(data)}\nin place of\n${JSON.stringify(right)}\n`)
}
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next < IDS) {
      const at = next++
      await check(at)
      // One that is held by now, if it was not pushed out.
      if (at % 3 === 0) await check(Math.floor(at / 3))
    }
  }),
)
process.stdout.write(`${wrong} of ${IDS} different ids answered wrong, ${refused} asked again\n`)
process.exit(wrong === 0 ? 0 : 1)
