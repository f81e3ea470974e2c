/** A tab of the explorer, named by its operation. */
export interface Example {
  readonly query: string
}

const INVENTED = `# You are on the sandbox: names and numbers are invented,
# and no real credit is spent.
`

const chart = `# A chart with the artists of each entry: 1 credit for all.
# The chart's rows already carry their names and numbers,
# so nothing else is asked.
query ChartWithArtists($country: CountryCode! = "DE") {
  charts {
    platB(countryCode: $country, first: 10) {
      nodes {
        rank
        previousRank
        name
        artistCredits {
          name
          countryCode
          artist {
            cmId
          }
        }
        track {
          cmId
          isrc
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`

const artist = `# One artist as a page would show it:
# 1 credit for the artist and 1 for the events.
# Run it twice: the second time both answers are still held,
# and "spent", below the data, is 0.
query ArtistPage($artist: Int! = 2) {
  artist(cmId: $artist) {
    name
    countryCode
    imageUrl
    rank
    score
    genres {
      primary {
        name
      }
      secondary {
        name
      }
    }
    careerStatus {
      stage
      trend
    }
    statistics {
      platAMonthlyListeners
      platAFollowers
      countryRank {
        rank
        countryCode
      }
    }
    events(
      status: CURRENT
      fromDaysAgo: 0
      toDaysAgo: -180
      first: 5
    ) {
      nodes {
        name
        startDate
        venueName
        city {
          name
        }
      }
    }
  }
}
`

const search = `# Everything that fits a text.
# The kinds share one request: 1 credit.
query SearchByName($text: String! = "river") {
  search(query: $text) {
    artists(first: 5) {
      nodes {
        cmId
        name
        imageUrl
      }
    }
    tracks(first: 5) {
      nodes {
        cmId
        name
        isrc
      }
    }
    albums(first: 5) {
      nodes {
        cmId
        name
      }
    }
    cities(first: 5) {
      nodes {
        name
        countryCode
        population
      }
    }
  }
}
`

const playlists = `# Playlists, page by page. For the next page, put "endCursor"
# of the answer into "after", take its # away and run again.
# 100 rows are bought at a time: most next pages cost nothing.
query PlaylistsPageByPage {
  playlists(
    platform: PLAT_B
    filter: { countryCode: "US" }
    orderBy: { field: FOLLOWERS, direction: DESC }
    first: 10
    # after: ""
  ) {
    totalCount
    nodes {
      name
      ownerName
      followers
      weeklyFollowerChangePercent
      genres
      lastUpdated
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`

const cost = `# What did it cost? See "extensions", below "data":
#   spent      what this operation put on the wire
#   saved      what it did not have to send, because
#   hydrated   a row had told it already
#   window     the page had been bought before
#   batched    ids were sent together
#   cache      the answer was still held
#   merged     the answer was already on its way
# Run it twice: the second time it costs nothing.
query WhatItCosts {
  first: artist(cmId: 4) {
    name
    score
  }
  sameAgain: artist(cmId: 4) {
    rank
  }
  another: artist(cmId: 5) {
    name
    score
  }
}
`

/** The tabs of the explorer, one per question that a newcomer has; each runs as it stands on the sandbox. */
export const examples = (sandbox: boolean): Example[] =>
  [chart, artist, search, playlists, cost].map((query) => ({
    query: sandbox ? INVENTED + query : query,
  }))
