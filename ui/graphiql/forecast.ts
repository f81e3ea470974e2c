import {
  useGraphiQL,
  useGraphiQLActions,
  useHeadersEditorState,
  useOperationsEditorState,
  useVariablesEditorState,
} from '@graphiql/react'
import { GraphQLError } from 'graphql'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Answer, isRefused, lastRun } from './credits.ts'
import { price } from './fetcher.ts'

const PAUSE_MS = 400

const objectOf = (text: string | undefined) => (text?.trim() ? JSON.parse(text) : {})

/** What the operation in the editor would cost, asked once its writer pauses, and anew after a run. */
export const useForecast = (): Answer | undefined => {
  const [query] = useOperationsEditorState()
  const [variables] = useVariablesEditorState()
  const [headers] = useHeadersEditorState()
  const operationName = useGraphiQL((state) => state.operationName) ?? null
  const run = useSyncExternalStore(lastRun.follow, lastRun.read)
  const { introspect } = useGraphiQLActions()
  const wasRefused = useRef(false)
  const [forecast, setForecast] = useState<Answer>()
  useEffect(() => {
    const stop = new AbortController()
    const tell = (answer: Answer) => {
      if (stop.signal.aborted) return
      setForecast(answer)
      // Who had no key was not told the schema either.
      if (wasRefused.current && !isRefused(answer)) void introspect()
      wasRefused.current = isRefused(answer)
    }
    const ask = () => {
      try {
        const params = { query, variables: objectOf(variables), operationName }
        return price(params, objectOf(headers), stop.signal)
      } catch (failure) {
        return Promise.reject(failure)
      }
    }
    const timer = setTimeout(() => {
      ask().then(tell, (failure) => tell({ errors: [new GraphQLError(String(failure))] }))
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [query, variables, headers, operationName, run, introspect])
  return query.trim() === '' ? { errors: [new GraphQLError('Write an operation.')] } : forecast
}
