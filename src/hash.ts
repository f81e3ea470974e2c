/** Spreads texts over the 32-bit integers. */
export const hashOf = (text: string, from = 0): number => {
  let hash = 0
  for (let at = from; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995)
  return hash ^ (hash >>> 15)
}
