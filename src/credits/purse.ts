import { GatewayError } from '../errors.ts'

/** Something that credits are taken from before a request goes out. */
export interface Purse {
  /** Takes credits, or throws and takes none; a promise where others share the purse. */
  charge(credits: number): void | Promise<void>
  refund(credits: number): void
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
    },
    refund(credits) {
      left += credits
    },
  }
}
