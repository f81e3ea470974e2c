import type { Scripted, Seen } from './script.ts'

/** A service that answers a request when it is told to; a track is of the artist a thousand further on. */
export const holding = () => {
  const held: { readonly id: number; answer(): void }[] = []
  const reply = ({ path }: Seen) =>
    new Promise<Scripted>((resolve) => {
      const id = Number(path.split('/').at(-1))
      const obj = { id, cm_artist_rank: id, artists: [{ id: id + 1_000, name: 'Ada' }] }
      held.push({ id, answer: () => resolve({ body: { obj } }) })
    })
  /** Waits for so many requests in all, and a while whether there are more. */
  const arrived = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve))
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    return held.map(({ id }) => id)
  }
  return { held, reply, arrived }
}
