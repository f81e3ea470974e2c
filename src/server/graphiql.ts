import { examples } from './examples.ts'
import { createPage } from './page.ts'

export interface GraphiqlOptions {
  readonly title: string
  /** Path that the page sends its operations to. */
  readonly endpoint: string
  /** Whether the data is invented, so that the page says so. */
  readonly sandbox: boolean
}

/** The explorer. */
export const createGraphiql = ({ title, endpoint, sandbox }: GraphiqlOptions, bundle?: URL) =>
  createPage(
    { name: 'graphiql', title, options: { endpoint, examples: examples(sandbox) } },
    bundle,
  )
