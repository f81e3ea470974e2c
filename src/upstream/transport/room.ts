/** A body that comes in pieces and can be told to wait. */
interface Flow {
  pause(): void
  resume(): void
}

/** One body's place among those on their way. */
export interface Place {
  /** These bytes of it are held. */
  add(bytes: number): void
  /** It is read, or given up. */
  leave(): void
}

/**
 * Holds the bodies that are on their way to a bound of bytes in all: while it is passed, all wait but the one that
 * began first, so that each comes to its end, the largest beyond the bound.
 */
export const createRoom = (mostBytes: number) => {
  const flows = new Map<Flow, { bytes: number; waits: boolean }>()
  let held = 0

  /** A parser of undici must not run within another's: who may go on does so after the one that runs now. */
  const settle = () => {
    let isFirst = true
    for (const [flow, guest] of flows) {
      const waits = held > mostBytes && !isFirst
      isFirst = false
      if (waits === guest.waits) continue
      guest.waits = waits
      if (waits) flow.pause()
      else queueMicrotask(() => guest.waits || flow.resume())
    }
  }

  return {
    get bytes() {
      return held
    },
    enter(flow: Flow): Place {
      const guest = { bytes: 0, waits: false }
      flows.set(flow, guest)
      return {
        add(bytes) {
          if (!flows.has(flow)) return
          guest.bytes += bytes
          held += bytes
          settle()
        },
        leave() {
          if (!flows.delete(flow)) return
          held -= guest.bytes
          settle()
        },
      }
    },
  }
}

export type Room = ReturnType<typeof createRoom>
