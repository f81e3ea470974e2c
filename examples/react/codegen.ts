import type { CodegenConfig } from '@graphql-codegen/cli'

const config: CodegenConfig = {
  schema: '../../schema.graphql',
  documents: 'src/**/*.{ts,tsx}',
  generates: {
    'src/gql/': {
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
