import { subscribe, unsubscribe } from 'node:diagnostics_channel'

const CHANNEL = 'undici:client:sendHeaders'

/** A request about to leave. */
interface Departing {
  depart(): void
}

/**
 * Notices the moment a request's headers are written: the line between free and maybe charged. The
 * channel belongs to the whole process and does not name the dispatch, but undici starts a request
 * and writes its headers in one turn, so the one that just started is the one that departs.
 */
export const createDepartures = () => {
  let starting: Departing | undefined
  const onHeaders = () => {
    const departing = starting
    starting = undefined
    departing?.depart()
  }
  subscribe(CHANNEL, onHeaders)
  return {
    /** To be called as undici starts a request that is not given up: it departs in this turn. */
    expect(departing: Departing) {
      starting = departing
    },
    close() {
      unsubscribe(CHANNEL, onHeaders)
    },
  }
}

export type Departures = ReturnType<typeof createDepartures>
