import { GatewayError } from '../errors.ts'

/** What was taken by one charge; it knows the window that it was taken from. */
export interface Receipt {
  /** Gives it back, on proof that nothing was billed. */
  refund(): void
}

/** Something that credits are taken from before a request goes out. */
export interface Purse {
  /** Takes credits, or throws and takes none; a promise where others share the purse. */
  charge(credits: number): Receipt | Promise<Receipt>
}

/** A purse with the whole allowance of one operation in it. */
export const createAllowance = (limit: number): Purse => {
  let left = limit
  return {
    charge(credits) {
      if (credits > left)
        throw new GatewayError(
          'CREDIT_LIMIT_EXCEEDED',
          `this would cost ${credits} more, and ${left} of the operation's ${limit} credits are left`,
          { credits },
        )
      left -= credits
      return {
        refund() {
          left += credits
        },
      }
    },
  }
}
