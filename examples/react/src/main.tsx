import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'urql'
import { App } from './app.tsx'
import { createBill } from './bill.ts'
import { createClient } from './client.ts'

const bill = createBill()
const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <Provider value={createClient(bill)}>
      <App bill={bill} />
    </Provider>
  </StrictMode>,
)
