/**
 * Page bounds that the service falls back to. The registry leaves them out, because the gateway always says how much
 * it wants. Stated by the specification, but for the stat list, search, festivals and the platD chart: the sandbox's own.
 */
export const DEFAULT_LIMITS: Readonly<Record<string, number>> = {
  artistsByStat: 10,
  playlistsPlatB: 50,
  playlistsPlatC: 50,
  tracksByFilter: 50,
  search: 10,
  suggestions: 10,
  platDTrackChart: 50,
  venues: 20,
  venueEvents: 20,
  artistEvents: 10,
  festivals: 20,
}
