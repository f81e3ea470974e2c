import { expect, onTestFinished } from 'vitest'
import { openScripted } from '../support/gateway.ts'
import type { Scripted, Seen } from '../support/script.ts'

/** One request as it was seen: path, sorted query as text, and the rest. */
export interface Sent extends Seen {
  readonly pairs: readonly string[]
}

/** Asks a fresh gateway one operation in front of an upstream that answers as `reply` says. */
export const ask = async (
  text: string,
  reply: (seen: Seen, count: number) => Scripted = () => ({ body: { obj: null } }),
  variables: Record<string, unknown> = {},
) => {
  const run = await openScripted(reply)
  const result = await run.query(text, variables)
  await run.close()
  const sent: Sent[] = run.upstream.requests.map((seen) => ({
    ...seen,
    pairs: seen.query.map(([name, value]) => `${name}=${value}`).sort(),
  }))
  return {
    ...result,
    sent,
    tokens: run.upstream.tokens,
    codes: result.errors.map(({ extensions }) => extensions.code),
  }
}

/** An upstream that gives one body to whatever is asked. */
export const giving = (body: unknown) => () => ({ body })
/** An upstream that gives one object, or rows, under `obj`. */
export const obj = (value: unknown) => giving({ obj: value })
/** An upstream that gives a chart of these rows. */
export const chartOf = (...rows: unknown[]) => obj({ length: rows.length, data: rows })

/** Asks what must be refused before anything is sent; gives the error. */
export const refusal = async (text: string) => {
  const { codes, sent, errors } = await ask(text)
  expect(sent, text).toHaveLength(0)
  expect(codes, text).toEqual(['BAD_USER_INPUT'])
  return errors[0]
}

/** The query of the first request that an operation leads to, sorted. */
export const pairsOf = async (text: string, variables: Record<string, unknown> = {}) =>
  (await ask(text, undefined, variables)).sent[0]?.pairs ?? []

/** A number of the query of a request. */
export const numberOf = ({ query }: Seen, name: string) =>
  Number(query.find(([key]) => key === name)?.[1])

/** Asks what must fail before anything is sent. */
export const nothingSent = async (text: string) => {
  const { sent, errors } = await ask(text)
  expect([sent, errors.length > 0], text).toEqual([[], true])
}

export const ARTIST = '{ artist(cmId: 5) { name } }'
export const NAMED = obj({ name: 'Ada' })

/** The premium fields of an artist and of a track, one for each endpoint. */
export const PREMIUM = {
  artist: [
    'platNAudienceStats',
    'platNAudienceStatsDates',
    'socialAudienceStats',
    'platDAudienceStats',
    'platDInfluencerStats',
    'platDTopInfluencers',
    'platDTopVideos',
    'wherePeopleListen',
    'platJAudienceStats',
    'playlists(platform: "platA", status: "current")',
  ],
  track: ['platDInfluencerStats', 'platDTopInfluencers', 'platDTopSounds', 'topVideos'],
}

/** A gateway for several operations of one test, in front of an upstream that answers API calls and token calls as told. */
export const opening = async (...script: Parameters<typeof openScripted>) => {
  const run = await openScripted(...script)
  onTestFinished(() => run.close())
  return run
}

/** A token call that mints. */
export const granted = (count: number, more: object = {}): Scripted => ({
  body: { token: `t${count}`, expires_in: 3600, refresh_token: `r${count}`, scope: 'api', ...more },
})
