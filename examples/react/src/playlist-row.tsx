import { count } from './figure.ts'
import { type FragmentType, graphql, unmask } from './gql/index.ts'
import { Picture } from './picture.tsx'

const fragment = graphql(`
  fragment PlaylistRow on Playlist {
    name
    imageUrl
    ownerName
    followers
  }
`)

export const PlaylistRow = (props: { readonly playlist: FragmentType<typeof fragment> }) => {
  const { name, imageUrl, ownerName, followers } = unmask(fragment, props.playlist)
  return (
    <li className="row">
      <Picture url={imageUrl} name={name ?? ''} />
      <span>
        {name}
        <small>{ownerName}</small>
      </span>
      <span>{count(followers)} followers</span>
    </li>
  )
}
