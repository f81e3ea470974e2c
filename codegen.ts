import type { CodegenConfig } from '@graphql-codegen/cli'
import { printPriced } from './src/schema/cost.ts'
import { schema } from './src/schema/index.ts'

const config: CodegenConfig = {
  // Printed here: given the file's name, the loader would leave it to Node, and Node 20 reads no TypeScript.
  schema: printPriced(schema),
  generates: {
    'schema.graphql': { plugins: ['schema-ast'], config: { includeDirectives: true, sort: true } },
  },
}

export default config
