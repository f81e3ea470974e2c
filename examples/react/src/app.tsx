import { useLayoutEffect, useSyncExternalStore } from 'react'
import { ArtistPage } from './artist-page.tsx'
import type { Bills } from './bill.ts'
import { ChartPage } from './chart-page.tsx'
import { hrefOf, usePlace } from './place.ts'
import { PlaylistsPage } from './playlists-page.tsx'
import { SearchPage } from './search-page.tsx'

const VIEWS = [
  ['search', 'Search'],
  ['chart', 'Chart'],
  ['playlists', 'Playlists'],
] as const

const View = () => {
  const { view, detail } = usePlace()
  if (view === 'artist') return <ArtistPage cmId={Number(detail)} />
  if (view === 'chart') return <ChartPage />
  if (view === 'playlists') return <PlaylistsPage />
  return <SearchPage key={detail} text={detail} />
}

const credits = (n: number) => `${n} ${n === 1 ? 'credit' : 'credits'}`

const BillOfView = ({ bill }: { readonly bill: Bills }) => {
  const { spent, saved, answers } = useSyncExternalStore(bill.follow, bill.read)
  return (
    <output aria-label="Credits of this view">
      {answers === 0
        ? 'This view has asked for nothing.'
        : `This view: ${credits(spent)} spent, ${saved} saved`}
    </output>
  )
}

export const App = ({ bill }: { readonly bill: Bills }) => {
  const place = usePlace()
  // A view's own requests begin after its layout, so they land on its own bill.
  useLayoutEffect(() => bill.clear(), [place.view, place.detail])
  return (
    <>
      <header>
        <nav aria-label="Views">
          {VIEWS.map(([view, name]) => (
            <a key={view} href={hrefOf(view)} aria-current={place.view === view ? 'page' : false}>
              {name}
            </a>
          ))}
        </nav>
        <BillOfView bill={bill} />
      </header>
      <main>
        <View />
      </main>
    </>
  )
}
