import { describe, expect, it } from 'vitest'
import { createMentions } from '../../src/upstream/mentions.ts'

describe('mentions', () => {
  it('are found by their thing, the latest first, and once of what mentions it in several places', () => {
    const mentions = createMentions<string>(100)
    mentions.add('artist:1', 'first chart', 4)
    mentions.add('artist:1', 'first chart', 7)
    mentions.add('track:1', 'first chart', 7)
    mentions.add('artist:1', 'second chart', 0)
    expect(mentions.of('artist:1')).toEqual([
      { where: 'second chart', place: 0 },
      { where: 'first chart', place: 7 },
    ])
    expect(mentions.of('artist:2')).toEqual([])
  })

  it('are forgotten once there are more than so many that are newer', () => {
    const most = 50
    const mentions = createMentions<{ id: number }>(most)
    for (let id = 1; id <= 1000; id++) {
      mentions.add('of all', { id }, id)
      mentions.add(`of ${id}`, { id }, id)
    }
    const all = Array.from({ length: most / 2 }, (_, at) => 1000 - at)
    expect(mentions.of('of all').map(({ where, place }) => [where.id, place])).toEqual(
      all.map((id) => [id, id]),
    )
    for (let id = 1; id <= 1000; id++)
      expect(mentions.of(`of ${id}`)).toHaveLength(id > 1000 - most / 2 ? 1 : 0)
  })
})
