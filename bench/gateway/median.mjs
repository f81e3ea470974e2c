/** Of two in the middle the lower one. */
export const median = (numbers) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0
