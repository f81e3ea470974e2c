import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  type DefinitionNode,
  type DocumentNode,
  type ExecutableDefinitionNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  Source,
  validate,
  visit,
} from 'graphql'
import { hashOf, readDocuments } from '../documents.ts'
import { brokenBound, parseBounded } from '../plugins/bounds.ts'

/** An operation out of some files, with the fragments that it uses, wherever they stand. */
export interface FileOperation {
  /** Its own, else its place: the file within what was given, and its number there. */
  readonly name: string
  readonly file: string
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** The document as clients send it, and the hash that they know it by. */
  readonly text: string
  readonly hash: string
  /** The text of its file, where that alone is the whole document: some clients send it as it is written. */
  readonly written?: string | undefined
}

/** Operations that the gateway would run, and what is wrong with the others. */
export interface FileOperations {
  readonly operations: readonly FileOperation[]
  readonly faults: readonly string[]
}

interface GivenFile {
  readonly path: string
  /** What stays the same in another checkout. */
  readonly name: string
}

const DOCUMENT = /\.(graphql|gql)$/
const MANIFEST = /\.json$/

const filesIn = (path: string): GivenFile[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => DOCUMENT.test(name))
        .sort()
        .map((name) => ({ path: join(path, name), name }))
    : [{ path, name: basename(path) }]

/** The documents of a file: itself, or those of a manifest under their hashes. */
const documentsIn = (path: string): { text: string; hash?: string }[] => {
  const content = readFileSync(path, 'utf8')
  return MANIFEST.test(path)
    ? [...readDocuments(content)].map(([hash, text]) => ({ hash, text }))
    : [{ text: content }]
}

const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure)

/** Fragments by name; one name for two different fragments is a fault. */
const createFragments = (faults: string[]) => {
  const fragments = new Map<string, { node: FragmentDefinitionNode; file: string }>()
  return {
    add(node: FragmentDefinitionNode, file: string): void {
      const { value } = node.name
      const other = fragments.get(value)
      if (other !== undefined && print(other.node) !== print(node))
        faults.push(`${file}: fragment ${value} is another one in ${other.file}`)
      else fragments.set(value, { node, file })
    },
    /** Those that an operation uses, through others too. */
    usedBy(operation: OperationDefinitionNode): FragmentDefinitionNode[] {
      const used = new Map<string, FragmentDefinitionNode>()
      const read = (root: OperationDefinitionNode | FragmentDefinitionNode): void => {
        visit(root, {
          FragmentSpread({ name: { value } }) {
            const fragment = fragments.get(value)
            if (fragment === undefined || used.has(value)) return
            used.set(value, fragment.node)
            read(fragment.node)
          },
        })
      }
      read(operation)
      return [...used.values()]
    },
  }
}

/** What the gateway would answer in place of running it. */
const refusals = (schema: GraphQLSchema, text: string): string[] => {
  try {
    const document = parseBounded(text, { noLocation: true })
    const broken = brokenBound(document)
    return (broken === undefined ? validate(schema, document) : [broken]).map(messageOf)
  } catch (failure) {
    return [messageOf(failure)]
  }
}

/** Whether a text has these definitions and no others. */
const isWhole = (text: string, definitions: readonly ExecutableDefinitionNode[]): boolean => {
  const printed = (nodes: readonly DefinitionNode[]) => nodes.map(print).sort().join('\n')
  return printed(parse(text, { noLocation: true }).definitions) === printed(definitions)
}

/** The operations of files and folders; fragments are shared by all of them, as frontends keep them. */
export const operationsOf = (paths: readonly string[], schema: GraphQLSchema): FileOperations => {
  const faults: string[] = []
  const fragments = createFragments(faults)
  const found: (Pick<FileOperation, 'name' | 'file' | 'operation'> & {
    readonly sent?: Pick<FileOperation, 'text' | 'hash'>
    readonly source: string
  })[] = []

  const read = ({ path, name: place }: GivenFile): void => {
    try {
      let count = 0
      for (const { text, hash } of documentsIn(path))
        for (const node of parse(new Source(text, path), { noLocation: true }).definitions)
          if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.add(node, path)
          else if (node.kind === Kind.OPERATION_DEFINITION) {
            count += 1
            const name = node.name?.value ?? `${place}#${count}`
            const sent = hash === undefined ? {} : { sent: { text, hash } }
            found.push({ name, file: path, operation: node, source: text, ...sent })
          }
    } catch (failure) {
      faults.push(`${path}: ${messageOf(failure)}`)
    }
  }
  for (const file of paths.flatMap(filesIn)) read(file)

  const files = new Map<string, string>()
  const operations = found.flatMap(({ name, file, operation, source, sent }): FileOperation[] => {
    const definitions = [operation, ...fragments.usedBy(operation)]
    const document = { kind: Kind.DOCUMENT, definitions } as const
    const text = sent?.text ?? print(document)
    const other = files.get(name)
    const wrong =
      other === undefined ? refusals(schema, text) : [`another one has its name in ${other}`]
    files.set(name, other ?? file)
    faults.push(...wrong.map((message) => `${file}: ${name}: ${message}`))
    if (wrong.length > 0) return []
    const written = sent === undefined && isWhole(source, definitions) ? source : undefined
    return [{ name, file, document, operation, text, hash: sent?.hash ?? hashOf(text), written }]
  })
  return { operations, faults }
}
