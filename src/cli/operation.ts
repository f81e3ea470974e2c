import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  Source,
  validate,
} from 'graphql'

/** An operation out of some files, with every fragment that stands in them. */
export interface FileOperation {
  readonly name: string
  readonly file: string
  readonly document: DocumentNode
}

/** Operations, and what is wrong with the files. */
export interface FileOperations {
  readonly operations: readonly FileOperation[]
  readonly faults: readonly string[]
}

const DOCUMENT = /\.(graphql|gql)$/

const filesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => DOCUMENT.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path]

const fragmentsUsed = (
  document: DocumentNode,
  all: ReadonlyMap<string, FragmentDefinitionNode>,
) => {
  const used = new Map<string, FragmentDefinitionNode>()
  const text = (node: unknown): string[] =>
    [
      ...JSON.stringify(node).matchAll(/"FragmentSpread","name":\{"kind":"Name","value":"(\w+)"/g),
    ].map(([, name = '']) => name)
  const add = (node: unknown): void => {
    for (const name of text(node)) {
      const fragment = all.get(name)
      if (fragment === undefined || used.has(name)) continue
      used.set(name, fragment)
      add(fragment)
    }
  }
  add(document)
  return [...used.values()]
}

const read = (file: string): DocumentNode | string => {
  try {
    return parse(new Source(readFileSync(file, 'utf8'), file), { noLocation: true })
  } catch (failure) {
    return `${file}: ${failure instanceof Error ? failure.message : String(failure)}`
  }
}

/** The operations of files and folders; fragments are shared by all of them, as frontends keep them. */
export const operationsOf = (paths: readonly string[], schema: GraphQLSchema): FileOperations => {
  const documents = paths.flatMap(filesIn).map((file) => ({ file, document: read(file) }))
  const faults = documents.flatMap(({ document }) =>
    typeof document === 'string' ? [document] : [],
  )
  const fragments = new Map<string, FragmentDefinitionNode>()
  const found: { file: string; operation: OperationDefinitionNode }[] = []
  for (const { file, document } of documents)
    for (const node of typeof document === 'string' ? [] : document.definitions)
      if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
      else if (node.kind === Kind.OPERATION_DEFINITION) found.push({ file, operation: node })
  const operations = found.map(({ file, operation }, at) => {
    const alone: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation] }
    const definitions = [operation, ...fragmentsUsed(alone, fragments)]
    const name = operation.name?.value ?? `${file}#${at + 1}`
    return { name, file, document: { kind: Kind.DOCUMENT, definitions } as const }
  })
  const invalid = operations.flatMap(({ name, file, document }) =>
    validate(schema, document).map(({ message }) => `${file}: ${name}: ${message}`),
  )
  return { operations, faults: [...faults, ...invalid] }
}
