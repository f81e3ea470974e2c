import { GatewayError } from '../../errors.ts'
import { reworded } from '../transport/came.ts'
import type { Outcome, WireRequest } from '../transport/send.ts'
import { type Step, when } from '../transport/step.ts'
import type { Access } from './access.ts'
import type { Token } from './token.ts'

/** A 401 that a new token did not cure: a right that the plan does not give, or so it seems. */
export const rightRefused = (endpoint: string) =>
  new GatewayError(
    'UPSTREAM_FORBIDDEN',
    `${endpoint}: the upstream's plan does not permit this request`,
    { status: 401 },
  )

const signed = (request: WireRequest, { token }: Access): WireRequest => ({
  ...request,
  headers: { authorization: `Bearer ${token.reveal()}`, ...request.headers },
})

const isRefused = (outcome: Outcome): boolean =>
  'answer' in outcome && outcome.answer.status === 401

/** Signs each request; after a 401 once more, with a token that is not the refused one. */
export const createBearer = (token: Token) => {
  /** An answer may repeat what was sent, and what is in it reaches the client. */
  const unsaid = (outcome: Outcome, access: Access): Outcome => {
    if (!('answer' in outcome)) return outcome
    const { answer } = outcome
    try {
      const ours = [access.token, ...token.refreshTokens]
      if (!ours.some((own) => own.mayBeIn(answer))) return outcome
      const text = ours.reduce((text, own) => own.outOf(text), answer.text)
      return text === answer.text ? outcome : { answer: reworded(answer, text) }
    } catch (error) {
      return { error }
    }
  }
  return (next: Step): Step =>
    (request, caller, end) => {
      const error = () => rightRefused(request.endpoint)
      const again = (access: Access | undefined) => {
        if (access === undefined) return end({ error: error() })
        next(signed(request, access), caller, (outcome) =>
          end(isRefused(outcome) ? { error: error() } : unsaid(outcome, access)),
        )
      }
      when(
        () => token.atHand() ?? token.current(caller),
        (access) =>
          next(signed(request, access), caller, (outcome) => {
            if (isRefused(outcome)) when(() => token.after(access.gen, caller), again, end)
            else end(unsaid(outcome, access))
          }),
        end,
      )
    }
}
