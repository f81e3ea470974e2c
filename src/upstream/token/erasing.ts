/** What stands in the place of a secret. */
export const MASK = '[secret]'

/** Letters, and where each of them begins in the text that they were read from. */
interface Spelled {
  readonly letters: string
  startOf(place: number): number
}

const asIs = (text: string): Spelled => ({ letters: text, startOf: (place) => place })

const WRITTEN = /%[\da-f]{2}|%|[^%]+/gi

/** A text with what an address writes as %XX read: all but letters of words. */
const asAddress = (text: string): Spelled => {
  let letters = ''
  const starts: number[] = []
  for (const { 0: written, index } of text.matchAll(WRITTEN)) {
    const isCode = written.startsWith('%') && written.length > 1
    const letter = isCode ? String.fromCharCode(Number.parseInt(written.slice(1), 16)) : ''
    const read = /^\W/.test(letter) ? letter : written
    for (let place = 0; place < read.length; place++) starts.push(index + place)
    letters += read
  }
  return { letters, startOf: (place) => starts[place] ?? text.length }
}

/** For so many letters of a text that stand somewhere, with how many of the last of them it begins. */
const bordersOf = (text: string): Int32Array => {
  const borders = new Int32Array(text.length + 1)
  let length = 0
  for (let place = 1; place < text.length; place++) {
    while (length > 0 && text[place] !== text[length]) length = borders[length] ?? 0
    if (text[place] === text[length]) length += 1
    borders[place + 1] = length
  }
  return borders
}

/** Whether a figure in a text is a part of a longer one. */
const isWithin = (text: string, from: number, to: number): boolean =>
  /\d[.,]?$/.test(text.slice(Math.max(0, from - 2), from)) ||
  /^[.,]?\d/.test(text.slice(to, to + 2))

/** Takes a text out of others as they are spelled; looks at each of their letters twice at most, whatever these are. */
const createErasingFrom = (wanted: string, spell: (text: string) => Spelled) => {
  const borders = bordersOf(wanted)
  const isFigure = /^\d+$/.test(wanted)
  return (plain: string): string => {
    const { letters, startOf } = spell(plain)
    let told = ''
    let from = 0
    let length = 0
    for (let place = 0; place < letters.length; place++) {
      while (length > 0 && letters[place] !== wanted[length]) length = borders[length] ?? 0
      if (letters[place] === wanted[length]) length += 1
      if (length < wanted.length) continue
      const start = startOf(place + 1 - length)
      const end = startOf(place + 1)
      if (isFigure && isWithin(plain, start, end)) continue
      told += plain.slice(from, start) + MASK
      from = end
      length = 0
    }
    return told + plain.slice(from)
  }
}

/** Takes a text out of others, also as it stands in addresses; of figures none that is a part of a longer one. */
export const createErasing = (text: string) => {
  const erased = createErasingFrom(text, asIs)
  if (!/\W/.test(text)) return erased
  const erasedInAddress = createErasingFrom(text, asAddress)
  return (plain: string): string => {
    const told = erased(plain)
    return told.includes('%') ? erasedInAddress(told) : told
  }
}
