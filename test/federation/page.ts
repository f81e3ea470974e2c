import { readFileSync } from 'node:fs'

const page = readFileSync('docs/federation.md', 'utf8')

/** The block of docs/federation.md that has this text in it. */
export const snippet = (containing: string): string => {
  const blocks = [...page.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, text = '']) => text)
  const [found, ...others] = blocks.filter((text) => text.includes(containing))
  if (found === undefined || others.length > 0)
    throw new Error(`docs/federation.md has ${others.length + 1} blocks with ${containing}`)
  return found
}

/** The second subgraph: a shop that knows artists by `cmId` and venues by number. */
export const TICKETS = snippet('type Show')
