import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { answer } from '../../src/upstream/answer.ts'
import { createDrift } from '../../src/upstream/drift.ts'
import { artist } from '../../src/upstream/endpoints/artist.ts'
import { tracksByFilter } from '../../src/upstream/endpoints/track-stat.ts'
import { createPacking } from '../../src/upstream/packed.ts'
import { request } from '../../src/upstream/request.ts'

const reading = { note: () => undefined }
const came = (text: string) => ({ status: 200, headers: {}, text })

describe('a record', () => {
  const text = JSON.stringify({ obj: { id: 3301, name: 'Mauvaise Été 🎹' } })
  const asked = request(artist, { cmId: 3301 })
  const bought = answer(asked, came(text), 0, reading)

  it('is held in the bytes that it came in, where little else lies with them', async () => {
    for (const [more, isSame] of [
      [500, true],
      [60_000, false],
    ] as const) {
      const bytes = Buffer.alloc(more + Buffer.byteLength(text)).subarray(more)
      bytes.write(text)
      const { content } = createPacking(100_000)(bought, { text, bytes })
      await turn()
      bytes.fill(' ')
      bytes.write('{"obj":{"name":"Changed"}}')
      expect(content.value?.name).toBe(isSame ? 'Changed' : bought.content.value?.name)
    }
  })

  it('is let go at the end of its turn, and stays once it was asked for again', async () => {
    const { content } = createPacking(100_000)(bought, came(text))
    expect(content.value).toBe(bought.content.value)
    await turn()
    const again = content.value
    expect(again).not.toBe(bought.content.value)
    expect(again?.name).toBe('Mauvaise Été 🎹')
    await turn()
    expect(content.value).toBe(again)
  })
})

describe('a window', () => {
  const rows = Array.from({ length: 1000 }, (_, id) => ({
    cm_track: id,
    name: `Harbour Lights, part ${id} of very many that there are`,
  }))
  const text = JSON.stringify({ obj: rows, offset: 0, total: 90_000 })
  const window = (offset: number) => {
    const asked = request(tracksByFilter, { offset, limit: 1000 })
    return [answer(asked, came(text), 0, reading), came(text)] as const
  }

  it('stays open, until what is read after it takes its room', async () => {
    const [bought] = window(0)
    expect(bought.class).toBe('window')
    let closed = 0
    const packed = createPacking(bought.bytes * 2.5, () => closed++)
    const first = packed(bought, came(text)).content
    const second = packed(...window(1000)).content
    await turn()
    expect(first.value).toBe(bought.content.value)
    packed(...window(2000))
    expect(closed).toBe(1)
    const again = first.value
    expect(again).toBe(bought.content.value)
    const reopened = second.value
    expect(closed).toBe(2)
    expect(reopened.rows.slice().map((row) => row?.track?.cmId)).toEqual(
      rows.map(({ cm_track }) => cm_track),
    )
    expect(second.value).toBe(reopened)
  })
  it('is told once of what cannot be read in it, however often it is opened', () => {
    const drift = createDrift()
    const flawed = rows.map((row, at) => (at % 100 === 0 ? { ...row, score: 'many' } : row))
    const text = JSON.stringify({ obj: [...flawed, 'no row'], offset: 0, total: 90_000 })
    const asked = request(tracksByFilter, { offset: 0, limit: 1000 })
    const bought = answer(asked, came(text), 0, drift.reading('tracksByFilter'))
    const packed = createPacking(bought.bytes * 1.5)
    const { content } = packed(bought, came(text))
    for (const opening of [1, 2, 3]) {
      expect(
        content.value.rows.slice().filter((row) => row?.score === null).length,
      ).toBeGreaterThan(9)
      packed(...window(1000 * opening))
    }
    expect(Object.fromEntries(drift.counts)).toEqual({
      'tracksByFilter.score': 10,
      'tracksByFilter.row': 1,
    })
  })
})
