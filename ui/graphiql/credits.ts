import type { ExecutionResult } from 'graphql'
import { createStore } from './store.ts'

/** A request that an operation needs, or a number of them that only answers tell. */
export interface Call {
  readonly endpoint: string
  readonly path: string
  /** Credits of one request. */
  readonly credits: number
  readonly count: number
  readonly most?: number
  readonly state: 'hit' | 'stale' | 'pending' | 'miss' | 'refused' | 'open'
}

export interface CreditPlan {
  readonly min: number
  readonly likely: number
  readonly max: number
  /** Of the operation, where its least price is above it. */
  readonly limit?: number
  readonly calls: readonly Call[]
}

export interface StalePart {
  readonly path: readonly (string | number)[]
  /** Seconds. */
  readonly age: number
  readonly reason: string
}

/** Credits of one endpoint that went on the wire, or that one reason kept from it. */
export interface Entry {
  readonly endpoint: string
  readonly state: string
  readonly credits: number
}

export interface Credits {
  readonly spent: number
  readonly saved: number
  readonly savedBy: Readonly<Record<string, number>>
  readonly requests?: readonly Entry[]
  readonly stale?: readonly StalePart[]
}

interface Told {
  [name: string]: unknown
  readonly credits?: Credits
  readonly creditPlan?: CreditPlan
}

export type Answer = ExecutionResult<Record<string, unknown>, Told>

/** Whether no client was known by what was sent. */
export const isRefused = ({ errors }: Answer): boolean =>
  errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED') === true

export interface Run {
  readonly name: string
  readonly answer: Answer
}

/** What the last run cost; the editor's fetcher writes it, the panel reads it. */
export const lastRun = createStore<Run | undefined>(undefined)
