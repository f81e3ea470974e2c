import type { Trouble } from './trouble.ts'

export const TOKEN_STATES = [
  'EMPTY',
  'MINTING',
  'VALID',
  'REFRESHING',
  'BACKOFF',
  'REJECTED',
] as const
export type TokenState = (typeof TOKEN_STATES)[number]

/** In one word how a token stands: whether a newer one is on its way, whether the held one serves, and what went wrong. */
export const stateOf = (
  isRenewing: boolean,
  isAlive: boolean,
  trouble: Trouble | undefined,
): TokenState => {
  if (isRenewing) return isAlive ? 'REFRESHING' : 'MINTING'
  if (isAlive) return 'VALID'
  if (trouble === undefined) return 'EMPTY'
  return trouble.kind === 'busy' || trouble.kind === 'away' ? 'BACKOFF' : 'REJECTED'
}
