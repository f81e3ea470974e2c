import { useEffect, useRef, useState } from 'react'
import { useQuery } from 'urql'
import { Answer } from './answer.tsx'
import { count } from './figure.ts'
import { graphql } from './gql/index.ts'
import { PlaylistRow } from './playlist-row.tsx'

const query = graphql(`
  query Playlists($after: String) {
    playlists(
      platform: PLAT_B
      first: 25
      after: $after
      orderBy: { field: FOLLOWERS, direction: DESC }
    ) {
      totalCount
      nodes {
        id
        ...PlaylistRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

/** The end of the list: coming into sight it asks for more, and so does pressing it. */
const More = ({ onSeen }: { readonly onSeen: () => void }) => {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // A browser that is busy tells of several changes at once, the last of them last.
    const watch = new IntersectionObserver((changes) => {
      if (changes.at(-1)?.isIntersecting) onSeen()
    })
    if (item.current !== null) watch.observe(item.current)
    return () => watch.disconnect()
  }, [onSeen])
  return (
    <li ref={item}>
      <button type="button" onClick={onSeen}>
        Show more
      </button>
    </li>
  )
}

interface PageProps {
  readonly after: string | null
  /** Set on the last page that is shown. */
  readonly onMore: ((cursor: string) => void) | undefined
}

const Page = ({ after, onMore }: PageProps) => {
  const [result] = useQuery({ query, variables: { after } })
  return (
    <Answer result={result}>
      {({ playlists }) => {
        const { nodes = [], pageInfo } = playlists ?? {}
        const cursor = pageInfo?.hasNextPage ? pageInfo.endCursor : undefined
        return (
          <>
            {after === null && (
              <li>{count(playlists?.totalCount)} playlists, most followed first</li>
            )}
            {nodes.map((playlist) => (
              <PlaylistRow key={playlist.id} playlist={playlist} />
            ))}
            {cursor && onMore && <More onSeen={() => onMore(cursor)} />}
          </>
        )
      }}
    </Answer>
  )
}

export const PlaylistsPage = () => {
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null])
  const last = cursors.at(-1)
  const onMore = (cursor: string) =>
    setCursors((known) => (known.includes(cursor) ? known : [...known, cursor]))
  return (
    <>
      <h1>Playlists</h1>
      <ul className="rows">
        {cursors.map((after) => (
          <Page key={after} after={after} onMore={after === last ? onMore : undefined} />
        ))}
      </ul>
    </>
  )
}
