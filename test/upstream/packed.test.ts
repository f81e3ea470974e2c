import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { answer } from '../../src/upstream/answer.ts'
import { artist } from '../../src/upstream/endpoints/artist.ts'
import { createPacking } from '../../src/upstream/packed.ts'
import { request } from '../../src/upstream/request.ts'

const reading = { note: () => undefined }
const text = JSON.stringify({ obj: { id: 3301, name: 'Mauvaise Été 🎹' } })

it('a record is let go at the end of its turn, and stays once it was asked for again', async () => {
  const packed = createPacking()
  const asked = request(artist, { cmId: 3301 })
  const bought = answer(asked, { status: 200, headers: {}, text }, 0, reading)
  const { content } = packed(asked, bought, text, reading)
  expect(content.value).toBe(bought.content.value)
  await turn()
  const again = content.value
  expect(again).not.toBe(bought.content.value)
  expect(again?.name).toBe('Mauvaise Été 🎹')
  await turn()
  expect(content.value).toBe(again)
})
