import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDocuments } from '../../src/documents.ts'
import { openRun } from '../support/run.ts'

const page = readFileSync('docs/documents.md', 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text = '']) => ({
  language,
  text,
}))

test('docs/documents.md: each request gets the answer below it', async () => {
  const run = await openRun()
  const requests = blocks.flatMap(({ text }, at) => {
    const body = /-d '(.*)'/s.exec(text)?.[1]
    return body === undefined ? [] : [{ body, answer: JSON.parse(blocks[at + 1]?.text ?? '') }]
  })
  expect(requests).toHaveLength(3)
  for (const { body, answer } of requests) {
    const response = await run.gateway.yoga.fetch('http://gateway/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-credits-report': 'off' },
      body,
    })
    expect(await response.json()).toMatchObject(answer)
  }
  await run.close()
})

test('docs/documents.md: the manifest is one', () => {
  const manifest = blocks.find(({ text }) => text.includes('"likely"'))?.text ?? ''
  expect([...readDocuments(manifest).values()]).toEqual([expect.stringContaining('query Artist')])
})
