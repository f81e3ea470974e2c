import { useEffect, useState } from 'react'

export interface Use {
  readonly name: string
  readonly spent: number
  readonly saved: number
}

export interface Budget {
  readonly period: string
  /** Whose it is; null for that of all. */
  readonly client: string | null
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: string
  /** When it ends at this pace; null where it starts anew before. */
  readonly endsAt: string | null
}

export interface Health {
  readonly token: string
  readonly problem: string | null
  readonly load: string
  readonly pausedUntil: string | null
  readonly leftAlone: readonly string[]
  readonly requests: { readonly running: number; readonly waiting: number }
  readonly cacheBytes: number
}

/** A process whose figures are in the sums. */
export interface Replica extends Use {
  readonly since: string
  /** Of when its figures are. */
  readonly at: string
}

/** What `/credits` tells who asks for JSON. */
export interface Overview {
  readonly since: string
  /** Whether the other replicas could be heard. */
  readonly isWhole: boolean
  /** The one that answers: health is its own. */
  readonly process: string
  readonly replicas: readonly Replica[]
  readonly spent: number
  readonly backgroundSpent: number
  readonly saved: number
  readonly savedBy: Readonly<Record<string, number>>
  readonly perHour: number
  readonly overTime: readonly {
    readonly at: string
    readonly spent: number
    readonly saved: number
  }[]
  readonly byEndpoint: readonly Use[]
  readonly byOperation: readonly Use[]
  readonly byClient: readonly Use[]
  readonly budgets: readonly Budget[]
  readonly health: Health
  readonly drift: readonly { readonly field: string; readonly count: number }[]
}

const EVERY_MS = 2000

export interface Following {
  readonly overview?: Overview
  /** Why the figures are not those of now. */
  readonly problem?: string
}

const ask = async (): Promise<Overview> => {
  const response = await fetch('/credits', { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`the gateway answers ${response.status}`)
  return response.json()
}

/** The overview, asked for again and again while somebody looks. */
export const useOverview = (): Following => {
  const [following, setFollowing] = useState<Following>({})
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = async () => {
      try {
        const overview = await ask()
        if (!isOver) setFollowing({ overview })
      } catch (failure) {
        if (!isOver)
          setFollowing(({ overview }) => ({
            ...(overview && { overview }),
            problem: String(failure),
          }))
      }
      if (!isOver) timer = setTimeout(follow, EVERY_MS)
    }
    void follow()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [])
  return following
}
