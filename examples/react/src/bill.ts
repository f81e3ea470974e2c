import { mapExchange } from 'urql'

interface Credits {
  readonly spent: number
  readonly saved: number
}

export interface Bill extends Credits {
  /** Answers that came from the gateway; the browser's own cache asks nobody. */
  readonly answers: number
}

const EMPTY: Bill = { spent: 0, saved: 0, answers: 0 }

const creditsOf = (extensions: unknown): Credits | undefined =>
  (extensions as { readonly credits?: Credits } | undefined)?.credits

/** What one view cost so far: the sum of `extensions.credits` of its answers. */
export const createBill = () => {
  let bill = EMPTY
  const followers = new Set<() => void>()
  const write = (next: Bill) => {
    bill = next
    for (const follower of followers) follower()
  }
  return {
    read: () => bill,
    follow: (follower: () => void) => {
      followers.add(follower)
      return () => {
        followers.delete(follower)
      }
    },
    /** A new view begins. */
    clear: () => write(EMPTY),
    /** Stands between the browser's cache and the gateway. */
    exchange: mapExchange({
      onResult({ extensions }) {
        const credits = creditsOf(extensions)
        if (credits === undefined) return
        write({
          spent: bill.spent + credits.spent,
          saved: bill.saved + credits.saved,
          answers: bill.answers + 1,
        })
      },
    }),
  }
}

export type Bills = ReturnType<typeof createBill>
