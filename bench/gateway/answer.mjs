// Answers of the service by path, made once, so that they are never what is measured.
import { album, artist, chart, playlist, track } from './body.mjs'

/** Text of a body around its id. */
const template = (make) => {
  const parts = JSON.stringify({ obj: make(1_234_567) }).split('1234567')
  return (id) => parts.join(id)
}
const templates = { artist: template(artist), track: template(track), album: template(album) }
const rows = Array.from({ length: 10_000 }, (_, i) => JSON.stringify(playlist(i)))

const answers = {
  '/api/charts/platB'(query) {
    const data = chart(query.get('date'))
    return JSON.stringify({ obj: { length: data.length, data } })
  },
  '/api/playlist/platB/lists'(query) {
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 50)]
    return `{"obj":[${rows.slice(offset, offset + limit).join()}],"offset":${offset},"total":10000}`
  },
}
const charts = new Map()

/** Undefined where the service knows no such path. */
export const bodyOf = (path) => {
  const [, kind, id] = /^\/api\/(artist|track|album)\/(\d+)$/.exec(path) ?? []
  if (kind !== undefined) return templates[kind](id)
  const known = charts.get(path)
  if (known !== undefined) return known
  const { pathname, searchParams } = new URL(path, 'http://stub')
  const body = answers[pathname]?.(searchParams)
  if (pathname.includes('charts')) charts.set(path, body)
  return body
}
