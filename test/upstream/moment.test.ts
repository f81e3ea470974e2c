import { expect, it } from 'vitest'
import { moment } from '../../src/upstream/values.ts'

const reading = { note: () => undefined }

it.each([
  ['2024-05-07T09:08:07.000Z', '2024-05-07T09:08:07.000Z'],
  ['2024-05-07T09:08:07Z', '2024-05-07T09:08:07Z'],
  ['2024-01-31T23:59:59.5Z', '2024-01-31T23:59:59.5Z'],
  ['2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
  ['2023-02-29T00:00:00.000Z', undefined],
  ['2024-04-31T00:00:00Z', undefined],
  ['2024-13-01T00:00:00Z', undefined],
  ['2024-00-10T00:00:00Z', undefined],
  ['2024-05-00T00:00:00Z', undefined],
  ['2024-05-07T24:00:00Z', undefined],
  ['2024-05-07T09:60:00Z', undefined],
  ['2024-05-07', '2024-05-07T00:00:00Z'],
  ['2024-05-07 09:08', '2024-05-07T09:08:00Z'],
  ['2024-05-07t09:08:07z', '2024-05-07T09:08:07Z'],
  ['2024-05-07T09:08:07+0200', '2024-05-07T09:08:07+02:00'],
  [1_715_072_887_000, '2024-05-07T09:08:07.000Z'],
  ['yesterday', undefined],
])('a moment that is written %j is told as %j', (written, told) => {
  expect(moment(written, reading)).toBe(told)
})
