import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox } from './open.ts'

let sandbox: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

const long = (length: number) => 'x'.repeat(length)

/** What the specification forbids, request by request. */
const REFUSED = `
/api/artist/1
/api/artist/0
/api/artist/2147483648
/api/artist/two
/api/artist/2.0
/api/artist/2?foo=1
/api/track/-1
/api/track/2147483648
/api/album/2147483648
/api/artist/sp_follower/list?min=1&max=2
/api/artist/sp_followers/list
/api/artist/sp_followers/list?min=1
/api/artist/sp_followers/list?min=-1&max=2
/api/artist/sp_followers/list?min=1.5&max=2
/api/artist/sp_followers/list?min=1&max=2&limit=201
/api/artist/sp_followers/list?min=1&max=2&limit=0
/api/artist/sp_followers/list?min=1&max=2&offset=100001
/api/artist/sp_followers/list?min=1&max=2&code2=USA
/api/artist/sp_followers/list?min=1&max=2&code2=
/api/artist/sp_followers/list?min=1&max=2&unsigned=1
/api/artist/sp_followers/list?min=1&min=1&max=2
/api/artist/sp_followers/list?min[]=1&max=2
/api/playlist/platB/lists?limit=10001
/api/playlist/platB/lists?limit=0
/api/playlist/platB/lists?offset=10001
/api/playlist/platB/lists?offset=1&limit=10000
/api/playlist/platB/lists?offset=9951
/api/playlist/platB/lists?sortColumn=rank
/api/playlist/platC/lists?sortColumn=followers
/api/playlist/platC/lists?curatorIds[]=u_1
/api/playlist/platC/lists?indie=true
/api/playlist/platB/lists?tagIds=1
/api/playlist/platB/lists?tagIds[]=one
/api/playlist/platB/lists?tagIds[0]=1
/api/playlist/platB/lists?userListIds[]=1&userListIds[]=1
/api/search
/api/search?q=
/api/search?q=${long(101)}
/api/search?q=a&limit=101
/api/search?q=a&limit=0
/api/search?q=a&type=festivals
/api/search?q=a&platforms[]=cm
/api/search?q=a&beta=true&platforms[]=platZ
/api/charts/platD/tracks
/api/charts/platD/tracks?latest=false
/api/charts/platD/tracks?date=2025-02-30
/api/charts/platD/tracks?date=20250203
/api/charts/platD/tracks?latest=true&interval=hourly
/api/charts/platD/tracks?latest=true&limit=101
/api/charts/platD/tracks?latest=true&limit=100&offset=9901
/api/charts/platU?latest=true&offset=10
/api/charts/platA/artists?latest=true&type=followers
/api/charts/platA/artists?latest=true&interval=daily
/api/charts/platA/artists?latest=true&interval=yearly&type=followers
/api/charts/platA/artists?latest=true&interval=daily&type=followers&limit=10
/api/charts/platA/artists?latest=true&interval=daily&type=followers&code2=US
/api/charts/platB?latest=true
/api/charts/platB?latest=true&country_code=USA
/api/charts/platB?latest=true&country_code=US&offset=0
/api/charts/platB?country_code=US
/api/charts/platF?latest=true
/api/charts/platE?latest=true&kind=top&genre=latin
/api/charts/platE?latest=true&country_code=GLOBALS&kind=top&genre=latin
/api/charts/platE?latest=true&country_code=IE&kind=best&genre=latin
/api/charts/platE?latest=true&country_code=IE&kind=top
/api/charts/platE?latest=true&country_code=IE&kind=top&genre=Latin
/api/charts/platE?latest=true&country_code=IE&kind=top&genre=latin&chart_type=album
/api/charts/platG?latest=true&country_code=us
/api/charts/platG?latest=true
/api/charts/platG?latest=true&country_code=US&limit=10
/api/venue?limit=101
/api/venue?offset=100001
/api/venue?cityId=2147483648
/api/venue?minCapacity=-1
/api/venue?venueType=hall
/api/venue?sortColumn=city
/api/venue?search=${long(201)}
/api/track/list/filter?limit=10001
/api/track/list/filter?offset=9951
/api/track/list/filter?range_period=daily_diff
/api/track/list/filter?min_platA_plays=many
/api/track/list/filter?min_release_date=2025-13-01
/api/track/list/filter?sortColumn=platA_plays
/api/track/list/filter?version_or[]=edit
/api/track/list/filter?originalsOnly=false&version_or[]=live
/api/track/list/filter?originalsOnly=false&version_only[]=edit&version_not[]=remix
/api/track/list/filter?originalsOnly=false&version_and[]=edit&version_or[]=remix
/api/track/list/filter?shortListIds[]=1&shortListIds[]=1
/api/track/list/filter?userListIds[]=1
/api/festival/list?limit=0
/api/festival/list?offset=100001
/api/festival/list?name=${long(101)}
/api/festival/list?eventSizes[]=huge
/api/festival/list?sortColumn=name
/api/radio/station-list?code2=USA
/api/radio/station-list?limit=10
/api/artist/1/past/events?fromDaysAgo=1&toDaysAgo=0
/api/artist/2/future/events?fromDaysAgo=1&toDaysAgo=0
/api/artist/2/past/events?fromDaysAgo=1
/api/artist/2/past/events?toDaysAgo=1
/api/artist/2/past/events?fromDaysAgo=1.5&toDaysAgo=0
/api/artist/2/past/events?fromDaysAgo=1&toDaysAgo=0&limit=101
/api/event/venue/5?limit=101
/api/event/venue/5?limit=0
/api/artist/1/where-people-listen
/api/track/2147483648/topVideos
/api/artist/%zz
`

/** What lies at or within the bounds, and the premium paths as listed. */
const SERVED = `
/api/artist/sp_followers/list?min=0&max=90071992547409931
/api/artist/2
/api/track/0
/api/album/0
/api/artist/sp_followers/list?min=0&max=99999999999&limit=200&offset=100000&unsigned=false
/api/artist/cm_artist_rank/list?min=1&max=10&code2=US&genreId=1&subGenreId=101&city=Westharbour
/api/artist/sp_listeners_to_followers_ratio/list?min=0&max=3
/api/playlist/platB/lists?offset=9900&limit=100
/api/playlist/platB/lists?offset=0&limit=10000&editorial=false
/api/playlist/platB/lists?tagIds[]=1&tagIds[]=2&curatorIds[]=u_1&excludedCuratorListIds[]=u_2&indie=false&majorCurator=true
/api/playlist/platC/lists?sortColumn=rank&sortOrderDesc=false&topPlaylist=true&descriptionSearch=calm&userListIds[]=1
/api/search?q=${encodeURIComponent('Ó & Þ + 50% #1')}&limit=100&offset=0&type=all&triggerCitiesOnly=true
/api/search?q=a&beta=true&platforms[]=cm&platforms[]=acr
/api/charts/platD/tracks?latest=true&limit=100&offset=9900
/api/charts/platD/tracks?date=2025-02-28&interval=semi-yearly&countryChart=true&code2=US
/api/charts/platU?date=2025-02-28
/api/charts/platA/artists?latest=true&interval=monthly&type=playlist_reach&offset=100
/api/charts/platB?country_code=US&date=2025-02-28&latest=true
/api/charts/platF?latest=true&genre=${encodeURIComponent('drum & bass')}&offset=0
/api/charts/genres/platF
/api/charts/platE?latest=true&country_code=GLOBAL&kind=trending&genre=danceedm&raw=false&chart_type=trending
/api/charts/platG?latest=true&country_code=GLOBAL&genre=film-tv-and-stage&offset=200
/api/charts/platG/US/cities
/api/venue?code2=GB&cityId=0&minCapacity=0&maxCapacity=9&venueType=club&search=${long(200)}&sortColumn=latestShowDate
/api/track/list/filter?offset=0&limit=10000&genres[]=1&artists[]=2&shortListIds[]=3
/api/track/list/filter?sortColumn=weekly_diff.platA_plays&range_period=bimonthly_diff_percent&min_platA_plays=-1.5
/api/track/list/filter?min_album.release_date=0&max_rank.rank_overall=900&min_release_date=2025-01-01
/api/track/list/filter?originalsOnly=false&version_or[]=edit&version_not[]=remix
/api/festival/list?code2s[]=US&code2s[]=GB&genreIds[]=1&eventSizes[]=mega&sortColumn=totalEditions&name=${long(100)}
/api/radio/station-list?code2=GB
/api/artist/2/past/events?fromDaysAgo=30&toDaysAgo=-30&limit=0&offset=0&cityId=5
/api/artist/2/current/events?fromDaysAgo=-1&toDaysAgo=-30
/api/event/venue/5?limit=100&offset=0
/api/artist/2/platN-audience-stats
/api/artist/2/platN-audience-stats/dates
/api/artist/2/social-audience-stats?anything=goes&more[]=1
/api/artist/2/platD-audience-stats
/api/artist/2/platD-influencer-stats
/api/artist/2/platD-top-influencers
/api/artist/2/platD-top-videos
/api/artist/2/where-people-listen?latest=true
/api/artist/2/platJ-audience-stats
/api/artist/2/platC/current/playlists
/api/brand/v2/abc-7/audience
/api/track/0/platD-influencer-stats
/api/track/0/platD-top-influencers
/api/track/0/platD-top-sounds
/api/track/0/topVideos
`

const lines = (text: string) => text.trim().split('\n')

describe('the rules of the specification', () => {
  it.each(lines(REFUSED))('refuse %s', async (path) => {
    const { body, status } = await sandbox.get(path)
    expect([status, body]).toEqual([400, { error: expect.any(String) }])
  })

  it.each(lines(SERVED))('serve %s', async (path) => {
    const { body, status } = await sandbox.get(path)
    expect([status, body]).toEqual([200, expect.objectContaining({ obj: expect.anything() })])
  })

  const ids = (length: number) => Array.from({ length }, (_, i) => i)
  it.each([
    ['51 ids', '', { ids: ids(51) }, 400],
    ['no ids', '', { ids: [] }, 400],
    ['ids twice', '', { ids: [1, 1] }, 400],
    ['an id in a string', '', { ids: ['1'] }, 400],
    ['an id out of bounds', '', { ids: [2_147_483_648] }, 400],
    ['no list', '', { ids: 1 }, 400],
    ['another member', '', { ids: [1], date: '2026-01-01' }, 400],
    ['no JSON', '', '{"ids":', 400],
    ['a date beside a range', '?date=2026-01-01&since=2026-01-01', { ids: [1] }, 400],
    ['50 ids', '', { ids: ids(50) }, 200],
    ['a range', '?since=2026-01-01&until=2026-02-01', { ids: [0] }, 200],
  ])('of stream estimates: %s', async (_what, query, body, status) => {
    const got = await sandbox.post(`/api/track/playlist-stream-estimates${query}`, body)
    expect(got.status).toBe(status)
  })
})
