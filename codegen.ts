import { fileURLToPath } from 'node:url'
import type { CodegenConfig } from '@graphql-codegen/cli'
import { printPriced } from './src/schema/cost.ts'
import { schema } from './src/schema/index.ts'

/** Files by their place beside this one, from whatever folder it is run. */
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const config: CodegenConfig = {
  // Printed here: given the file's name, the loader would leave it to Node, and Node 20 reads no TypeScript.
  schema: printPriced(schema),
  generates: {
    [at('schema.graphql')]: {
      plugins: ['schema-ast'],
      config: { includeDirectives: true, sort: true },
    },
    [at('examples/react/src/gql/')]: {
      documents: at('examples/react/src/**/*.{ts,tsx}'),
      preset: 'client',
      presetConfig: { fragmentMasking: { unmaskFunctionName: 'unmask' } },
      config: {
        enumsAsTypes: true,
        useTypeImports: true,
        strictScalars: true,
        scalars: {
          BigInt: { input: 'number | string', output: 'number | string' },
          CountryCode: 'string',
          Date: 'string',
          DateTime: 'string',
          JSON: 'unknown',
          LocalDateTime: 'string',
          URL: 'string',
        },
      },
    },
  },
}

export default config
