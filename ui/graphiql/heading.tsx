import { useGraphiQL } from '@graphiql/react'
import { useEffect } from 'react'

/** Beside the price tag the editor is narrow: long lines wrap. Where no answer is yet, words say so. */
const useEditors = () => {
  const query = useGraphiQL((state) => state.queryEditor)
  const response = useGraphiQL((state) => state.responseEditor)
  useEffect(() => query?.updateOptions({ wordWrap: 'on' }), [query])
  useEffect(
    () => response?.updateOptions({ placeholder: 'Run the operation: its answer comes here.' }),
    [response],
  )
}

export const Heading = () => {
  useEditors()
  return (
    <h1 className="refrain-title">
      <img src={refrainPage.icon} alt="" width="24" height="24" />
      {refrainPage.title}
    </h1>
  )
}
