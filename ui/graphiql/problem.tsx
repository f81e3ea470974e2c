import { type Answer, isRefused } from './credits.ts'

/** Why an answer tells no credits, and where a key is written where one is needed. */
export const Problem = ({ answer }: { readonly answer: Answer }) => (
  <>
    <p>{answer.errors?.[0]?.message ?? 'The answer tells no credits.'}</p>
    {isRefused(answer) && (
      <p>
        Here it is written under Headers, below the operation: <code>{'{ "X-Api-Key": "…" }'}</code>
        . The page forgets it when it is closed.
      </p>
    )}
  </>
)
