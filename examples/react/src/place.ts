import { useSyncExternalStore } from 'react'

/** Where in the app we are: the address behind `#`. */
export interface Place {
  readonly view: string
  readonly detail: string
}

const follow = (follower: () => void) => {
  addEventListener('hashchange', follower)
  return () => removeEventListener('hashchange', follower)
}

const placeOf = (hash: string): Place => {
  const [view = '', ...detail] = hash.replace(/^#\/?/, '').split('/')
  return { view: view || 'search', detail: decodeURIComponent(detail.join('/')) }
}

export const usePlace = (): Place => placeOf(useSyncExternalStore(follow, () => location.hash))

export const hrefOf = (view: string, detail: string | number = '') =>
  `#/${view}/${encodeURIComponent(detail)}`
