import { describe, it } from 'vitest'
import type { Endpoint } from '../../src/upstream/endpoint.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { keysMeanRequests, pathsStayInTheirTemplate } from './request.ts'

const RUNS = Number(process.env.RUNS ?? 100_000)
const all = Object.entries<Endpoint>(endpoints)

describe('any arguments that an endpoint takes', () => {
  it.each(all)('%s: one key, one request', (_, endpoint) => keysMeanRequests(endpoint, RUNS))

  it.each(all)('%s: the path stays in its template', (_, endpoint) =>
    pathsStayInTheirTemplate(endpoint, RUNS),
  )
})
