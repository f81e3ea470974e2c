import { randomBytes } from 'node:crypto'
import { format, inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createMemoryBoard } from '../../../src/board/memory.ts'
import { createRecordBook, hashOf } from '../../../src/upstream/token/record.ts'
import { secret } from '../../../src/upstream/token/secret.ts'

const key = () => secret(randomBytes(32).toString('base64'))

const record = {
  gen: 3,
  accessToken: secret('access-plain'),
  accessExp: 1_767_229_200_000,
  refreshToken: secret('refresh-plain'),
  prevRefreshToken: secret('previous-plain'),
  seedHash: hashOf(secret('seed-plain')),
  intent: { at: 1_767_225_600_000 },
}

const revealed = (found: Awaited<ReturnType<ReturnType<typeof createRecordBook>['find']>>) => ({
  gen: found.record?.gen,
  accessToken: found.record?.accessToken?.reveal(),
  accessExp: found.record?.accessExp,
  refreshToken: found.record?.refreshToken.reveal(),
  prevRefreshToken: found.record?.prevRefreshToken?.reveal(),
  intent: found.record?.intent,
})

describe('the token record', () => {
  it.each([
    ['with a key', key()],
    ['without', undefined],
  ])('comes back as it was kept, %s', async (_, sealedWith) => {
    const board = createMemoryBoard()
    expect(await createRecordBook(board, sealedWith).keep(record, undefined)).toBe(true)
    const found = await createRecordBook(board, sealedWith).find()
    expect(found).toMatchObject({ gen: 3, unreadable: false })
    expect(revealed(found)).toEqual({
      gen: 3,
      accessToken: 'access-plain',
      accessExp: 1_767_229_200_000,
      refreshToken: 'refresh-plain',
      prevRefreshToken: 'previous-plain',
      intent: { at: 1_767_225_600_000 },
    })
  })

  it('shows nothing of a token once it is sealed, and never the same text twice', async () => {
    const board = createMemoryBoard()
    const book = createRecordBook(board, key())
    await book.keep(record, undefined)
    const first = (await board.read('token'))?.text ?? ''
    await book.keep(record, 3)
    const second = (await board.read('token'))?.text ?? ''
    expect(first).not.toBe(second)
    for (const text of [first, Buffer.from(first.split(':')[2] ?? '', 'base64').toString('latin1')])
      expect(text).not.toContain('plain')
  })

  it.each([
    ['another key', key(), (text: string) => text],
    ['no key', undefined, (text: string) => text],
    ['a changed letter', 'same' as const, (text: string) => `${text.slice(0, -6)}AAAA==`],
    ['a cut end', 'same' as const, (text: string) => text.slice(0, 90)],
  ])('is unreadable with %s, and its generation is still known', async (_, reader, spoil) => {
    const board = createMemoryBoard()
    const writer = key()
    await createRecordBook(board, writer).keep(record, undefined)
    const text = spoil((await board.read('token'))?.text ?? '')
    await board.write('token', { gen: 4, text }, 3)
    const book = createRecordBook(board, reader === 'same' ? writer : reader)
    const { seedHash } = record
    expect(await book.find()).toEqual({
      record: undefined,
      gen: 4,
      unreadable: true,
      isSpoilt: false,
      seedHash,
    })
  })

  it.each(['', 'null', '[]', '{}', '{"refreshToken":7,"seedHash":"x"}', '{"refreshToken":"x"}'])(
    'is unreadable when it says %j',
    async (text) => {
      const board = createMemoryBoard()
      await board.write('token', { gen: 1, text }, undefined)
      expect(await createRecordBook(board).find()).toMatchObject({
        unreadable: true,
        isSpoilt: true,
      })
    },
  )

  it('is not begun with a key of another length', () => {
    expect(() => createRecordBook(createMemoryBoard(), secret('c2hvcnQ='))).toThrow('32 bytes')
  })
})

describe('a secret', () => {
  it.each<[string, (value: unknown) => string]>([
    ['String', (value) => String(value)],
    ['a template', (value) => `${value}`],
    ['JSON', (value) => JSON.stringify({ value })],
    ['inspect', (value) => inspect({ value }, { showHidden: true, depth: 9 })],
    ['format', (value) => format('%s %o %j', value, value, value)],
    ['a record', () => inspect(record) + JSON.stringify(record)],
  ])('is masked in %s', (_, show) => {
    const shown = show(secret('the-plain-text'))
    expect(shown).not.toContain('plain')
    expect(shown).toContain('[secret]')
  })

  it('gives its text to whoever asks by name', () => {
    expect(secret('the-plain-text').reveal()).toBe('the-plain-text')
  })
})
