import { useState } from 'react'

/** The first letters of a name; what is no letter says nothing. */
const initials = (name: string) =>
  [...name.matchAll(/(?<!\p{L})\p{L}/gu)].slice(0, 2).join('').toUpperCase()

/** A picture that says nothing which the name beside it does not; initials stand in for it. */
export const Picture = ({ url, name }: { readonly url: string | null; readonly name: string }) => {
  const [isMissing, setMissing] = useState(url === null)
  return isMissing || url === null ? (
    <span className="picture" aria-hidden="true">
      {initials(name)}
    </span>
  ) : (
    <img className="picture" src={url} alt="" loading="lazy" onError={() => setMissing(true)} />
  )
}
