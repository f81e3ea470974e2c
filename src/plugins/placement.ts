import { type DirectiveNode, type DocumentNode, visit } from 'graphql'
import { creditsDirective } from '../schema/credits-directive.ts'

const OF_FIELDS = 'priority'

const argumentsOn = (directives: readonly DirectiveNode[] = []): readonly string[] =>
  directives
    .filter(({ name }) => name.value === creditsDirective.name)
    .flatMap((directive) => directive.arguments?.map(({ name }) => name.value) ?? [])

/** The first argument of `@credits` where it would do nothing: who wrote it thinks that it does. */
export const misplaced = (document: DocumentNode): string | undefined => {
  let complaint: string | undefined
  visit(document, {
    Field({ directives }) {
      const name = argumentsOn(directives).find((name) => name !== OF_FIELDS)
      if (name !== undefined) complaint ??= `@credits(${name}:) is for a whole operation`
    },
    OperationDefinition({ directives }) {
      if (argumentsOn(directives).includes(OF_FIELDS))
        complaint ??= `@credits(${OF_FIELDS}:) is for a field`
    },
  })
  return complaint
}
