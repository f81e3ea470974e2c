// Writes what the descriptions already say: the tables of endpoints, the pages of the schema, the recipes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpointPage, endpointTable } from './docs/endpoint.mjs'
import { readRecipes, recipePage } from './docs/recipe.mjs'
import { schemaPages } from './docs/schema.mjs'
import { usesOf } from './docs/use.mjs'

const MARKED = /(<!-- endpoints:start -->\n)[\s\S]*?(<!-- endpoints:end -->)/

/** Every generated file by its path, from what the descriptions say. */
export const render = ({ schema, endpoints, endpointsOf, recipes, readme }) => {
  const uses = usesOf(schema, endpointsOf)
  const all = Object.values(endpoints)
  return new Map([
    ['docs/endpoints.md', endpointPage(all, uses)],
    ...schemaPages(schema),
    ['docs/recipes.md', recipePage(recipes)],
    [
      'README.md',
      readme.replace(MARKED, (_, start, end) => `${start}${endpointTable(all, uses)}\n${end}`),
    ],
  ])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(process.argv[1]), '..')
  const { schema } = await import('../dist/schema/index.js')
  const { printSubgraph } = await import('../dist/schema/subgraph.js')
  const { endpointsOf } = await import('../dist/schema/endpoint-use.js')
  const { endpoints } = await import('../dist/upstream/endpoints/index.js')
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const files = render({
    schema,
    endpoints,
    endpointsOf,
    recipes: readRecipes(join(root, 'docs/recipes')),
    readme,
  }).set('schema.subgraph.graphql', `${printSubgraph({ nodeInterface: true })}\n`)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
