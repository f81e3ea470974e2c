import type { TabsState } from '@graphiql/react'

/** Longer addresses are refused by the server as too large a header. */
const LONGEST = 8000

/** An operation in the address of the page, as a shared link or a reload has it. */
export const readAddress = () => {
  const found = new URL(location.href).searchParams
  const query = found.get('query')
  return query === null ? undefined : { query, variables: found.get('variables') ?? '' }
}

/** Keeps what the active tab holds in the address, so that it can be shared. */
export const writeAddress = ({ tabs, activeTabIndex }: TabsState) => {
  const { query, variables } = tabs[activeTabIndex] ?? {}
  const url = new URL(location.href)
  url.search = ''
  if (query) url.searchParams.set('query', query)
  if (query && variables) url.searchParams.set('variables', variables)
  if (url.href.length > LONGEST) url.search = ''
  if (url.href !== location.href) history.replaceState(null, '', url)
}
