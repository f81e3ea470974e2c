import { GatewayError } from '../../errors.ts'
import type { Send, WireAnswer, WireRequest } from '../transport/send.ts'
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
  headers: { ...request.headers, authorization: `Bearer ${token.reveal()}` },
})

/** A shorter text is no token of a service, and would blot out words. */
const SHORTEST_TOKEN = 4

/** A refusal may repeat what was sent, and its words reach the client. */
const unsaid = (answer: WireAnswer, { token }: Access): WireAnswer => {
  const said = token.reveal()
  if (answer.status < 400 || said.length < SHORTEST_TOKEN) return answer
  return { ...answer, text: answer.text.replaceAll(said, String(token)) }
}

/** Signs each request; after a 401 once more, with a token that is not the refused one. */
export const createBearer =
  (token: Token) =>
  (next: Send): Send =>
  async (request, caller) => {
    const first = token.atHand() ?? (await token.current(caller))
    const answer = await next(signed(request, first), caller)
    if (answer.status !== 401) return unsaid(answer, first)
    const second = await token.after(first.gen, caller)
    if (second === undefined) throw rightRefused(request.endpoint)
    const repeated = await next(signed(request, second), caller)
    if (repeated.status === 401) throw rightRefused(request.endpoint)
    return unsaid(repeated, second)
  }
