import type { Endpoint } from '../upstream/endpoint.ts'
import { endpoints } from '../upstream/endpoints/index.ts'

/** An endpoint that a path stands for, with its path parameters, still encoded. */
export interface Route {
  readonly endpoint: Endpoint
  readonly values: Readonly<Record<string, string>>
}

const PLACEHOLDER = /^\{(\w+)\}$/

const valuesOf = (template: readonly string[], path: readonly string[]) => {
  if (template.length !== path.length) return undefined
  const values: Record<string, string> = {}
  for (const [i, part] of template.entries()) {
    const given = path[i] ?? ''
    const name = PLACEHOLDER.exec(part)?.[1]
    if (name === undefined ? part !== given : given === '') return undefined
    if (name !== undefined) values[name] = given
  }
  return values
}

/** Finds endpoints by method and path; literal parts go before placeholders. */
export const createRoutes = () => {
  const routes = Object.values<Endpoint>(endpoints)
    .map((endpoint) => ({ endpoint, template: endpoint.path.split('/') }))
    .sort(
      (a, b) =>
        a.template.filter((part) => PLACEHOLDER.test(part)).length -
        b.template.filter((part) => PLACEHOLDER.test(part)).length,
    )
  return (method: string, path: string, query: URLSearchParams): Route | undefined => {
    const found = routes.flatMap(({ endpoint, template }) => {
      const values = endpoint.method === method ? valuesOf(template, path.split('/')) : undefined
      return values === undefined ? [] : [{ endpoint, values }]
    })
    const beta = query.get('beta') === 'true'
    return found.find(({ endpoint }) => (endpoint.name === 'suggestions') === beta) ?? found[0]
  }
}
