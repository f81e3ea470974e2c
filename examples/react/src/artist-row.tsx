import { count } from './figure.ts'
import { type FragmentType, graphql, unmask } from './gql/index.ts'
import { Picture } from './picture.tsx'
import { hrefOf } from './place.ts'

const fragment = graphql(`
  fragment ArtistRow on Artist {
    cmId
    name
    imageUrl
  }
`)

interface Props {
  readonly artist: FragmentType<typeof fragment>
  readonly followers: number | string | null
}

export const ArtistRow = ({ artist, followers }: Props) => {
  const { cmId, name, imageUrl } = unmask(fragment, artist)
  return (
    <li className="row">
      <Picture url={imageUrl} name={name ?? ''} />
      <a href={hrefOf('artist', cmId)}>{name ?? `Artist ${cmId}`}</a>
      <span>{count(followers)} followers on platA</span>
    </li>
  )
}
