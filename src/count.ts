/** A number of things in words: `1 request`, `2 requests`. */
export const counted = (count: number, thing: string): string =>
  `${count} ${count === 1 ? thing : `${thing}s`}`
