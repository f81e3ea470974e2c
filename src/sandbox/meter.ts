/** A request as it was received. */
export interface Received {
  /** Name in the registry; `unknown` for a path that is none of the service's. */
  readonly endpoint: string
  /** Path and query, as they came. */
  readonly path: string
  /** 0 until it is answered, and for good where the socket was broken off instead. */
  status: number
  /** What it cost; 0 once its answer proved free. */
  credits: number
}

/** The service's own count of what it bills. */
export interface Meter {
  readonly credits: number
  /** Every request but those of the token endpoint. */
  readonly requests: readonly Received[]
  readonly tokenCalls: number
  /** Of these, refused: the refresh token was none, or an old one. */
  readonly tokenRefusals: number
}

interface Plan {
  readonly bills: boolean
  readonly free: ReadonlySet<string>
}

const planOf = (setting: string): Plan => {
  const [word, list = ''] = setting.split(':')
  if (word === 'all') return { bills: true, free: new Set() }
  if (word === 'none') return { bills: false, free: new Set() }
  if (word === 'all-but') return { bills: true, free: new Set(list.split(',')) }
  throw new TypeError(`billed must be all, all-but:<statuses and token> or none, got ${setting}`)
}

/** Charges on receipt; what the plan lets go free is given back with the answer. */
export const createMeter = (setting = 'all-but:401,token') => {
  const plan = planOf(setting)
  const requests: Received[] = []
  let spentOnTokens = 0
  let tokenCalls = 0
  let tokenRefusals = 0
  const meter: Meter = {
    get credits() {
      return requests.reduce((sum, request) => sum + request.credits, spentOnTokens)
    },
    requests,
    get tokenCalls() {
      return tokenCalls
    },
    get tokenRefusals() {
      return tokenRefusals
    },
  }
  return {
    meter,
    /** Returns what notes the status of the answer. */
    receive(endpoint: string, path: string, price: number): (status: number) => void {
      const request = { endpoint, path, status: 0, credits: plan.bills ? price : 0 }
      requests.push(request)
      return (status) => {
        request.status = status
        if (plan.free.has(String(status))) request.credits = 0
      }
    },
    receiveToken(): (status: number) => void {
      const price = plan.bills && !plan.free.has('token') ? 1 : 0
      tokenCalls++
      spentOnTokens += price
      return (status) => {
        if (status === 401) tokenRefusals++
        if (plan.free.has(String(status))) spentOnTokens -= price
      }
    },
  }
}
