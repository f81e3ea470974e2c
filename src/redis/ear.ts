import type { Redis } from 'ioredis'

/** Tells of every message of channels; `again` whenever it hears them anew, since what was said until then was not heard. */
export const createEar = (
  ear: Redis,
  again: () => void,
  failed: (failure: unknown) => void,
): ((channel: string, listener: (message: string) => void) => void) => {
  const listeners = new Map<string, ((message: string) => void)[]>()
  const listenTo = (channels: readonly string[]) => {
    if (ear.status === 'ready' && channels.length > 0)
      void ear.subscribe(...channels).then(again, failed)
  }
  ear.on('ready', () => listenTo([...listeners.keys()]))
  ear.on('message', (channel: string, message: string) => {
    for (const tell of listeners.get(channel) ?? []) tell(message)
  })
  return (channel, listener) => {
    const others = listeners.get(channel) ?? []
    listeners.set(channel, [...others, listener])
    if (others.length === 0) listenTo([channel])
  }
}
