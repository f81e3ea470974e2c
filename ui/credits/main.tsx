import { createRoot } from 'react-dom/client'
import './page.css'
import { Page } from './page.tsx'

const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(<Page />)
