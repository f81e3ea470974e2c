import { CloseIcon } from '@graphiql/react'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
} from 'react'

/**
 * Stands in for GraphiQL's own tabs, which nest a button within a tab and, placed by a library for dragging, jump away
 * under the pointer before the click arrives. These are a list of buttons and stay where they are.
 */

const Active = createContext(false)

interface TabsProps {
  readonly 'aria-label': string
  readonly children: ReactNode
}

export const Tabs = ({ 'aria-label': label, children }: TabsProps) => (
  <ul className="graphiql-tabs no-scrollbar" aria-label={label}>
    {children}
  </ul>
)

interface TabProps {
  readonly isActive: boolean
  readonly children: ReactNode
}

const Item = ({ isActive, children }: TabProps) => {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isActive) item.current?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [isActive])
  return (
    <li ref={item} className={isActive ? 'graphiql-tab graphiql-tab-active' : 'graphiql-tab'}>
      <Active.Provider value={isActive}>{children}</Active.Provider>
    </li>
  )
}

const Button = ({ children, ...props }: ComponentProps<'button'>) => (
  <button
    {...props}
    type="button"
    className="graphiql-un-styled graphiql-tab-button"
    aria-current={useContext(Active)}
  >
    {children}
  </button>
)

const Close = ({ onClick }: Pick<ComponentProps<'button'>, 'onClick'>) => (
  <button
    type="button"
    className="graphiql-un-styled graphiql-tab-close"
    aria-label="Close tab"
    onClick={onClick}
  >
    <CloseIcon />
  </button>
)

export const Tab = Object.assign(Item, { Button, Close })
