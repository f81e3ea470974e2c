import type { Answer } from './credits.ts'

/** Why an answer tells no credits. */
export const Problem = ({ answer }: { readonly answer: Answer }) => (
  <p>{answer.errors?.[0]?.message ?? 'The answer tells no credits.'}</p>
)
