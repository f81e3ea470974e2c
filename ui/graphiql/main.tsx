import './workers.ts'
import type { GraphiQLPlugin } from '@graphiql/react'
import { GraphiQL } from 'graphiql'
import { createRoot } from 'react-dom/client'
import 'graphiql/style.css'
import './panel.css'
import './narrow.css'
import { readAddress, writeAddress } from './address.ts'
import { Examples } from './examples.tsx'
import { run } from './fetcher.ts'
import { Heading } from './heading.tsx'
import { ExamplesIcon, PriceTagIcon } from './icons.tsx'
import { Panel } from './panel.tsx'
import { editorTheme } from './theme.ts'

const credits: GraphiQLPlugin = { title: 'Credits', icon: PriceTagIcon, content: Panel }
const examples: GraphiQLPlugin = { title: 'Examples', icon: ExamplesIcon, content: Examples }

const shared = readAddress()
const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <GraphiQL
    fetcher={(params, options) => run(params, options?.headers)}
    plugins={[credits, examples]}
    visiblePlugin={credits.title}
    defaultTabs={[...(shared ? [shared] : []), ...refrainPage.examples]}
    {...(shared && { initialQuery: shared.query, initialVariables: shared.variables })}
    onTabChange={writeAddress}
    editorTheme={editorTheme}
    defaultEditorToolsVisibility={Boolean(shared?.variables)}
    shouldPersistHeaders={false}
    schemaDescription
  >
    <GraphiQL.Logo>
      <Heading />
    </GraphiQL.Logo>
  </GraphiQL>,
)
