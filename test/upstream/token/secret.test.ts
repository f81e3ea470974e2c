import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secret } from '../../../src/upstream/token/secret.ts'
import { EVERY_COMMIT, effortOf } from '../../property/effort.ts'

const { effort, title } = effortOf(2000, EVERY_COMMIT)

const numbered = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
const encoded = (letter: string) =>
  /\w/.test(letter) ? letter : `%${letter.charCodeAt(0).toString(16)}`
const WAYS = [(letter: string) => letter, numbered, encoded]

const tokenOf = (alphabet: string) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 8, maxLength: 90 })
const token = fc.oneof(tokenOf('abcXYZ019_'), tokenOf('ab.-'), tokenOf('a.b-c_9'))
const ways = fc.array(fc.nat(WAYS.length - 1), { minLength: 1, maxLength: 8 })

describe(`a token in a body (${title})`, () => {
  it('is not passed over at a first look, however its letters are written', () => {
    fc.assert(
      fc.property(token, ways, (own, order) => {
        const letters = [...own].map((letter, at) => WAYS[order[at % order.length] ?? 0]?.(letter))
        const text = `{"obj":{"name":"it is ${letters.join('')}."}}`
        const hidden = secret(own)
        expect(hidden.outOf(text)).not.toContain(letters.join(''))
        expect(hidden.mayBeIn({ text, bytes: Buffer.from(text) })).toBe(true)
      }),
      effort,
    )
  })
  it('is not looked for in what holds no part of it', () => {
    const text = '{"obj":{"name":"Harbour Lights"}}'
    expect(secret('abcdefgh.1234').mayBeIn({ text, bytes: Buffer.from(text) })).toBe(false)
  })
})
