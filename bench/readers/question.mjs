// What is asked: a few bytes, and as many rows as the service lists with enough of each for 5 MB.
export const SMALL = '{ artist(cmId: 5) { name } }'
export const LARGE =
  '{ playlists(platform: PLAT_B, first: 10000) { nodes { id cmId name imageUrl followers ownerName ownerId userId isEditorial isPersonalized lastUpdated countryCode playlistId platform catalog activeRatio genres monthlyFollowerChange monthlyFollowerChangePercent } } }'

export const bodyOf = (query) => JSON.stringify({ query })
