/** Operations as one client writes them on one connection, without waiting for an answer. */
export const pipelined = (queries: readonly string[]): string =>
  queries
    .map((query) => {
      const body = JSON.stringify({ query })
      return `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    })
    .join('')
