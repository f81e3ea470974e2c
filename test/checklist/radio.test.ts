import { describe, expect, test } from 'vitest'
import { ask, obj } from './ask.ts'

describe('L. radio', () => {
  test('171: without a country nothing at all is sent, and pages cost nothing more', async () => {
    const { data, sent, credits } = await ask(
      `{ a: radioStations(first: 2) { nodes { name } }
         b: radioStations(last: 1) { nodes { name } pageInfo { hasPreviousPage } } }`,
      obj([
        { id: 1, name: 'A' },
        { id: 2, name: 'B' },
        { id: 3, name: 'C' },
      ]),
    )
    expect([sent.length, sent[0]?.path, sent[0]?.pairs, credits.spent]).toEqual([
      1,
      '/api/radio/station-list',
      [],
      1,
    ])
    expect(data).toEqual({
      a: { nodes: [{ name: 'A' }, { name: 'B' }] },
      b: { nodes: [{ name: 'C' }], pageInfo: { hasPreviousPage: true } },
    })
  })

  test('171: radio takes a country only, is not paged, and may lack social counts', async () => {
    const { data, sent } = await ask(
      '{ radioStations(countryCode: "GB", first: 1) { nodes { platLFollowers platOViews } totalCount } }',
      obj([{ id: 1, platL_followers: null, platO_views: null }, { id: 2 }]),
    )
    expect(sent[0]?.pairs).toEqual(['code2=GB'])
    expect(data.radioStations).toEqual({
      nodes: [{ platLFollowers: null, platOViews: null }],
      totalCount: 2,
    })
  })
})
