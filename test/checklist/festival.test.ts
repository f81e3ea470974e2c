import { describe, expect, test } from 'vitest'
import { ask, obj, pairsOf, refusal } from './ask.ts'

describe('L. festivals', () => {
  const festivals = (args: string) => `{ festivals${args} { nodes { name } } }`

  test('168, 169: each size and each order of festivals as the service spells it', async () => {
    expect(
      (await pairsOf(festivals('(filter: { eventSizes: [SMALL, MEDIUM, LARGE, MEGA] })'))).filter(
        (pair) => pair.startsWith('eventSizes'),
      ),
    ).toEqual(['large', 'medium', 'mega', 'small'].map((size) => `eventSizes[]=${size}`))
    for (const [field, column] of [
      ['RANK', 'rank'],
      ['SCORE', 'score'],
      ['NAME', 'festivalName'],
      ['START_DATE', 'startDate'],
      ['NUMBER_OF_DAYS', 'numberOfDays'],
      ['EVENT_SIZE', 'eventSize'],
      ['TOTAL_EDITIONS', 'totalEditions'],
    ])
      expect(await pairsOf(festivals(`(orderBy: { field: ${field}, direction: DESC })`))).toEqual(
        expect.arrayContaining([`sortColumn=${column}`, 'sortOrderDesc=true']),
      )
    expect(await pairsOf(festivals(`(filter: { name: "${'x'.repeat(100)}" })`))).toContain(
      `name=${'x'.repeat(100)}`,
    )
  })

  test('168, 169, 170: festivals with their filters and defaults; links may be null', async () => {
    const list = (args: string) => `{ festivals${args} { nodes { links { platQ } } } }`
    expect(await pairsOf(list(''))).toEqual([
      'limit=100',
      'offset=0',
      'sortColumn=startDate',
      'sortOrderDesc=false',
    ])
    expect(
      await pairsOf(
        list(
          '(filter: { countryCodes: ["GB", "DE"], genreIds: [3], eventSizes: [MEGA], name: "salt" })',
        ),
      ),
    ).toEqual(
      expect.arrayContaining([
        'code2s[]=DE',
        'code2s[]=GB',
        'genreIds[]=3',
        'eventSizes[]=mega',
        'name=salt',
      ]),
    )
    expect(
      (await refusal(list(`(filter: { name: "${'x'.repeat(101)}" })`)))?.extensions.argument,
    ).toBe('name')
    const { data } = await ask(
      list(''),
      obj([
        { id: 1, links: { platQ: null } },
        { id: 2, links: null },
      ]),
    )
    expect(data.festivals.nodes).toEqual([{ links: { platQ: null } }, { links: null }])
  })
})
