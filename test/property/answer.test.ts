import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { holdsForAnyAnswer, openSaying, runsAsGraphql } from './answer.ts'
import type { EndpointName } from './asking.ts'
import { EVERY_COMMIT, effortOf } from './effort.ts'

const names = Object.keys(endpoints) as EndpointName[]
const { effort, title } = effortOf(100, EVERY_COMMIT)

describe(`whatever the service answers (${title})`, () => {
  it.each(names)(
    '%s fails in words of the contract, if it fails',
    { timeout: 30_000 + effort.numRuns * 100 },
    (name) => holdsForAnyAnswer(name, effort),
  )

  it.each(names)(
    '%s is answered as graphql-js answers it',
    { timeout: 30_000 + effort.numRuns * 100 },
    (name) => runsAsGraphql(name, { ...effort, numRuns: Math.ceil(effort.numRuns / 5) }),
  )

  it('is null where it cannot be read, and counted by endpoint and field', async () => {
    const saying = await openSaying('artist')
    const { data, errors } = await saying.ask(
      JSON.stringify({
        obj: {
          id: 5,
          name: { first: 'Paper' },
          code2: 'Germany',
          isni: '0000000121707484',
          created_at: 'yesterday',
          image_url: 'javascript:alert(1)',
          moods: [{ id: 1, name: 'calm' }, 'low'],
        },
      }),
    )
    await saying.close()
    expect(errors).toEqual([])
    expect(data.artist).toMatchObject({
      name: null,
      countryCode: null,
      isni: '0000000121707484',
      createdAt: null,
      imageUrl: null,
    })
    expect(Object.fromEntries(saying.drift)).toMatchObject({
      'artist.name': 1,
      'artist.countryCode': 1,
      'artist.createdAt': 1,
      'artist.imageUrl': 1,
    })
    expect(saying.drift.has('artist.isni')).toBe(false)
  })

  it.each([
    ['a member named `then`', '{"then":4}', null],
    ['too many levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, null],
    ['a number of 400 digits', `"${'9'.repeat(400)}"`, '9'.repeat(400)],
  ])('%s in a counter leaves the row standing', async (_, text, value) => {
    const saying = await openSaying('tracksByFilter')
    const { data, errors } = await saying.ask(
      `{"obj":[{"cm_track":5,"latest":{"platA_plays":${text},"new":${text}}}],"offset":0,"total":1}`,
    )
    await saying.close()
    expect(errors).toEqual([])
    const { track, latest } = data.tracksByStat.nodes[0]
    expect(track.cmId).toBe(5)
    expect(latest.platAPlays).toBeNull()
    expect(latest.counters).toContainEqual({ name: 'new', value })
  })

  it.each([
    ['a member named `then`', '"then":4'],
    ['too many levels', `"deep":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ])('%s among additional fields takes none of the others away', async (_, member) => {
    const saying = await openSaying('playlistsPlatC')
    const { data, errors } = await saying.ask(
      `{"obj":[{"id":5,"name":"x","new":1,${member},"followers":"${'9'.repeat(400)}"}],"offset":0,"total":1}`,
    )
    await saying.close()
    expect(errors).toEqual([])
    expect(data.playlists.nodes[0]).toMatchObject({ additionalFields: { new: 1 }, followers: null })
    expect(saying.drift.get('playlistsPlatC.additionalFields')).toBe(1)
  })
})
