/** One value that a component can follow with useSyncExternalStore. */
export const createStore = <T>(first: T) => {
  let value = first
  const followers = new Set<() => void>()
  return {
    read: () => value,
    write: (next: T) => {
      value = next
      for (const follower of followers) follower()
    },
    follow: (follower: () => void) => {
      followers.add(follower)
      return () => {
        followers.delete(follower)
      }
    },
  }
}
