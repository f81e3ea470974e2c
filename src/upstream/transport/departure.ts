import { subscribe, unsubscribe } from 'node:diagnostics_channel'

const CHANNEL = 'undici:client:sendHeaders'

/**
 * Notices the moment a request's headers are written: the line between free and maybe charged. The
 * channel belongs to the whole process and does not name the dispatch, but undici starts a request
 * and writes its headers in one turn, so the one that just started is the one that departs.
 */
export const createDepartures = () => {
  let starting: (() => void) | undefined
  const onHeaders = () => {
    const depart = starting
    starting = undefined
    depart?.()
  }
  subscribe(CHANNEL, onHeaders)
  return {
    /** To be called as undici starts a request that is not given up: `depart` runs in this turn. */
    expect(depart: () => void) {
      starting = depart
    },
    close() {
      unsubscribe(CHANNEL, onHeaders)
    },
  }
}

export type Departures = ReturnType<typeof createDepartures>
