import themes from 'recipes:themes'
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'

interface Example {
  readonly title: string
  readonly about: string
  readonly query: string
}

/** An operation with the comment above it: a sentence says what it is for. */
const firstStep = ({ query }: { readonly query: string }): Example => {
  const name = /^query (\w+)/m.exec(query)?.[1] ?? ''
  const title = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return { title, about: '', query }
}

const credits = (n: number) => `${n} ${n === 1 ? 'credit' : 'credits'}`
const costs = ({ cold, varies }: (typeof themes)[number]['recipes'][number]['price']) =>
  `${credits(cold)}${varies?.includes('cold') ? ' or so' : ''} on the sandbox.`

const SHELVES = [
  { theme: 'First steps', examples: refrainPage.examples.map(firstStep) },
  ...themes.map(({ theme, recipes }) => ({
    theme,
    examples: recipes.map(({ title, about, query, price }) => ({
      title,
      about: [about.replaceAll('`', ''), costs(price)].join(' ').trim(),
      query: `# ${title}\n${query}\n`,
    })),
  })),
]

/** Saved operations by theme; each opens in a tab of its own. */
export const Examples = () => {
  const { addTab } = useGraphiQLActions()
  const editor = useGraphiQL((state) => state.queryEditor)
  const open = (query: string) => {
    addTab()
    editor?.setValue(query)
  }
  return (
    <section className="refrain-panel" aria-label="Examples">
      <h2>Examples</h2>
      {SHELVES.map(({ theme, examples }) => (
        <section key={theme} aria-label={theme}>
          <h3>{theme}</h3>
          <ul>
            {examples.map(({ title, about, query }) => (
              <li key={title}>
                <button type="button" onClick={() => open(query)}>
                  {title}
                </button>
                {about !== '' && <p>{about}</p>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
