import { OF_CLIENTS } from './clients.ts'
import { OF_CREDITS } from './credits.ts'
import type { Figure } from './figure.ts'
import { OF_THE_PROCESS } from './process.ts'
import { OF_THE_UPSTREAM } from './upstream.ts'

/** Every metric that is read when it is asked for. */
export const FIGURES: readonly Figure[] = [
  ...OF_CREDITS,
  ...OF_CLIENTS,
  ...OF_THE_UPSTREAM,
  ...OF_THE_PROCESS,
]
