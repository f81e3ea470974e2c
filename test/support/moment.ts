import { setTimeout } from 'node:timers/promises'

/** Lets a millisecond pass: what came within one answers all who ask in it, however fresh they want it. */
export const nextMoment = (): Promise<void> => setTimeout(2)
