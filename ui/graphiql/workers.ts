import editor from 'worker:monaco-editor/esm/vs/editor/editor.worker.js'
import json from 'worker:monaco-editor/esm/vs/language/json/json.worker.js'
import graphql from 'worker:monaco-graphql/esm/graphql.worker.js'

const sources: Readonly<Record<string, string>> = { json, graphql }

/** Workers come with the page: the content policy allows blobs and no other address. */
Object.assign(globalThis, {
  MonacoEnvironment: {
    globalAPI: false,
    getWorker: (_: string, label: string) => {
      const source = new Blob([sources[label] ?? editor], { type: 'text/javascript' })
      return new Worker(URL.createObjectURL(source))
    },
  },
})
