import type { Plugin } from 'graphql-yoga'

/** Whoever takes nothing that is given is told in plain words what is. */
export const useWords = (): Plugin => ({
  onResponse({ response, setResponse, fetchAPI }) {
    if (response.status !== 406 || response.body !== null) return
    const headers = new fetchAPI.Headers(response.headers)
    const types = headers.get('accept') ?? 'application/json'
    headers.set('content-type', 'text/plain; charset=utf-8')
    setResponse(
      new fetchAPI.Response(`An answer comes as one of these, and Accept names none: ${types}\n`, {
        status: 406,
        headers,
      }),
    )
  },
})
