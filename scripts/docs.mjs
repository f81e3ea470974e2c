// Writes what the descriptions already say: the tables of endpoints, headers and variables, the pages of the schema, the recipes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpointPage, endpointTable } from './docs/endpoint.mjs'
import { headerSections, wishTable } from './docs/header.mjs'
import { page } from './docs/markdown.mjs'
import { metricTable } from './docs/metric.mjs'
import { readRecipes, recipePage } from './docs/recipe.mjs'
import { schemaPages } from './docs/schema.mjs'
import { usesOf } from './docs/use.mjs'
import { exampleFile, variableSection, variableTable } from './docs/variable.mjs'

/** Puts a text between the marks of its name. */
const put = (name, text, into) =>
  into.replace(
    new RegExp(`(<!-- ${name}:start -->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`),
    (_, start, end) => `${start}${text}\n${end}`,
  )

/** Every generated file by its path, from what the descriptions say. */
export const render = ({
  schema,
  endpoints,
  endpointsOf,
  recipes,
  variables,
  metrics,
  readme,
  operations,
}) => {
  const uses = usesOf(schema, endpointsOf)
  const all = Object.values(endpoints)
  return new Map([
    ['docs/endpoints.md', endpointPage(all, uses)],
    ...schemaPages(schema),
    ['docs/recipes.md', recipePage(recipes)],
    [
      'docs/reference.md',
      page('# Headers and variables', ...headerSections(), ...variableSection(variables)),
    ],
    ['docs/operations.md', put('metrics', metricTable(...metrics), operations)],
    ['.env.example', exampleFile(variables)],
    [
      'README.md',
      put(
        'endpoints',
        endpointTable(all, uses),
        put('variables', variableTable(variables), put('wishes', wishTable(), readme)),
      ),
    ],
  ])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(process.argv[1]), '..')
  const { schema } = await import('../dist/schema/index.js')
  const { printSubgraph } = await import('../dist/schema/subgraph.js')
  const { endpointsOf } = await import('../dist/schema/endpoint-use.js')
  const { endpoints } = await import('../dist/upstream/endpoints/index.js')
  const { VARIABLES } = await import('../dist/variable.js')
  const { FIGURES } = await import('../dist/server/metrics/index.js')
  const { createMeters } = await import('../dist/telemetry/meters.js')
  const { systemClock } = await import('../dist/clock.js')
  const meters = createMeters(systemClock).registry.getMetricsAsArray()
  const read = (path) => readFileSync(join(root, path), 'utf8')
  const files = render({
    schema,
    endpoints,
    endpointsOf,
    recipes: readRecipes(join(root, 'docs/recipes')),
    variables: VARIABLES,
    metrics: [FIGURES, meters],
    readme: read('README.md'),
    operations: read('docs/operations.md'),
  }).set('schema.subgraph.graphql', `${printSubgraph({ nodeInterface: true })}\n`)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
