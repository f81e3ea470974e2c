import { describe, it } from 'vitest'
import type { Endpoint } from '../../src/upstream/endpoint.ts'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { effortOf } from './effort.ts'
import { keysMeanRequests, pathsStayInTheirTemplate } from './request.ts'

const { effort, title } = effortOf(26_000)
const all = Object.entries<Endpoint>(endpoints)

describe(`any arguments that an endpoint takes (${title})`, () => {
  it.each(all)('%s: one key, one request', (_, endpoint) => keysMeanRequests(endpoint, effort))

  it.each(all)('%s: the path stays in its template', (_, endpoint) =>
    pathsStayInTheirTemplate(endpoint, effort),
  )
})
