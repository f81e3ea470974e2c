import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Members = { readonly [name: string]: Json }

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !isList(value)

/** The same for the same address and place, so that an answer stays what it is. */
const chance = (seed: string, share: number): boolean => {
  let sum = 5381
  for (const letter of seed) sum = (Math.imul(sum, 33) ^ letter.charCodeAt(0)) >>> 0
  return (Math.imul(sum, 2_654_435_761) >>> 0) / 2 ** 32 < share
}

/** Longer than anybody counts a list within a row. */
const LONG = 23
/** Lists that name other things: with their ids, or their ids alone with their names beside them. */
const NAMING = new Set(['artists', 'albums', 'artist'])
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  cm_artist: ['artist_names', 'code2s', 'artist_images', 'artist_covers'],
  album_ids: ['album_names', 'album_upc', 'album_label', 'release_dates'],
}

const another = (value: Json, at: number): Json =>
  isMembers(value) && typeof value.id === 'number' ? { ...value, id: 40 + at } : value

const longer = (list: readonly Json[]): readonly Json[] => {
  const [first] = list
  if (first === undefined) return list
  const more = Array.from({ length: Math.max(0, LONG - list.length) }, (_, at) =>
    another(first, at),
  )
  return [...list, ...more]
}

/** A row, now and then with lists longer than usual, or with ids beside which no names stand. */
const stretched = (row: Json, seed: string): Json => {
  if (!isMembers(row) || !chance(`long ${seed}`, 0.5)) return row
  const changed = Object.entries(row).map(([name, value]): [string, Json] => {
    if (!isList(value) || value.length === 0) return [name, value]
    if (NAMING.has(name)) return [name, longer(value)]
    if (name in BESIDE)
      return [name, [...value, ...Array.from({ length: LONG }, (_, at) => 40 + at)]]
    return [name, value]
  })
  return Object.fromEntries(changed)
}

/** Rows of a window: some are left out though the total counts them, some are no rows at all. */
const thinned = (rows: readonly Json[], isCounted: boolean, seed: string): readonly Json[] =>
  rows.flatMap((row, at): Json[] => {
    if (isCounted && chance(`out ${seed} ${at}`, 0.2)) return []
    return [chance(`none ${seed} ${at}`, 0.1) ? null : stretched(row, `${seed} ${at}`)]
  })

/** An answer that says the same within what is documented, and is no easier to foretell for it. */
const unruly = (body: Json, seed: string): Json => {
  if (!isMembers(body)) return body
  const { obj, total } = body
  if (isList(obj)) return { ...body, obj: thinned(obj, total !== undefined, seed) }
  if (!isMembers(obj)) return body
  if (isList(obj.data))
    return { ...body, obj: { ...obj, data: thinned(obj.data, obj.total !== undefined, seed) } }
  return { ...body, obj: stretched(obj, seed) }
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Stands before a service: lists within rows get long, rows are missing from windows, partial data is not ready. What is asked for is passed on. */
export const openUnruly = async (url: string) => {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: target = '/', headers } = request
    const body = await bodyOf(request)
    const passed = await fetch(`${url}${target}`, {
      method,
      headers: {
        ...(headers.authorization && { authorization: headers.authorization }),
        ...(headers['content-type'] && { 'content-type': headers['content-type'] }),
      },
      ...(method === 'POST' && { body: body.toString() }),
    })
    const text = await passed.text()
    const isUnready =
      headers['x-accept-partial-data'] !== undefined && chance(`unready ${target}`, 0.5)
    const isData = passed.ok && !isUnready && !target.startsWith('/api/token')
    response.writeHead(isUnready ? 406 : passed.status, { 'content-type': 'application/json' })
    response.end(isData ? JSON.stringify(unruly(JSON.parse(text), target)) : text)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
