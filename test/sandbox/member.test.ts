import { describe, expect, it } from 'vitest'
import { createSources, isPage } from '../../src/sandbox/source.ts'
import { createWorld } from '../../src/sandbox/world.ts'

type Row = Record<string, unknown>
const sources = createSources(createWorld(7))
const today = '2026-03-10'
const latest = { today, latest: true, offset: 0, limit: 100 }

const rowsOf = (given: object | undefined): Row[] => {
  if (given === undefined || !isPage(given)) throw new Error('not a page')
  return given.rows as Row[]
}
const objectOf = (given: object | undefined): Row => given as Row

const BASE = `id name isrc image_url description tags cm_track cm_artist artist_names code2s artist_images
  artist_covers platA_track_ids platA_album_ids platA_duration_ms platH_track_ids platH_album_ids platH_artist_ids
  platH_artist_names storefronts platB_track_ids platB_album_ids platB_duration platC_track_ids platC_album_ids
  album_ids album_names album_upc album_label release_dates created_at modified_at rank pre_rank added_at velocity
  time_on_chart rankStats`
const PEAK = 'peak_rank peak_date'
const PLAT_E = `country genre kind platE_track_id playcount_all playcount_weekly artwork_url permalink_url public
  publisher writer_composer artist album_title platE_user`

/** The members of a row as the specification's tables list them. */
const MEMBERS: Record<string, [rows: () => Row[], members: string]> = {
  'artist stat-range row': [
    () =>
      rowsOf(
        sources.artistsByStat({ type: 'sp_followers', min: 0, max: 1e12, offset: 0, limit: 50 }),
      ),
    `cm_artist_id name code2 genres cpp_rank rank_eg rank_fb platA_popularity platA_followers
     platA_monthly_listeners platA_listeners_to_followers_ratio platA_followers_to_listeners_ratio platB_fans
     platL_likes platL_talks platM_followers platM_retweets platN_followers platJ_channel_views platJ_subscribers
     platJ_daily_video_views platJ_monthly_video_views platO_views platE_followers platP_followers platD_followers
     platD_likes sp_where_people_listen signed`,
  ],
  'artist metadata': [
    () => [2, 6001].map((id) => objectOf(sources.artist({ id }))),
    `id name local_name local_name_locale created_at code2 band pronoun_title gender_title gender isni
     cm_artist_rank cm_artist_score cover_url image_url hometown_city current_city current_city_id band_members
     booking_agent record_label press_contact general_manager topSongwriterCollaborators description genres
     genre_smart_ordered moods activities career_status cm_statistics genreRank subGenreRank1 subGenreRank2`,
  ],
  'track metadata': [
    () => [0, 23_999].map((id) => objectOf(sources.track({ id, today }))),
    `id name local_name local_name_locale isrc image_url preview_url duration_ms composer_name track_tier artists
     albums tags moods activities genres songwriters cm_songwriters score release_date album_label explicit
     cm_statistics`,
  ],
  'album metadata': [
    () => [0, 7_999].map((id) => objectOf(sources.album({ id }))),
    `id upc name local_name local_name_locale description image_url release_date label platA_popularity cm_label
     cm_album created_at modified_at num_track platA_album_ids platH_album_ids platB_album_ids artists cm_statistics`,
  ],
  'playlist row': [
    () => rowsOf(sources.playlistsPlatC({ today, offset: 0, limit: 50 })),
    `position id code2 playlist_id name image_url personalized followers last_updated owner_name owner_id user_id
     editorial fdiff_week fdiff_month fdiff_percent_week fdiff_percent_month catalog active_ratio genre`,
  ],
  'platU chart row': [() => rowsOf(sources.platUChart(latest)), `${BASE} ${PEAK} platU`],
  'platF chart row': [
    () => rowsOf(sources.platFChart({ ...latest, genre: 'techno' })),
    `${BASE} ${PEAK} genre platF remixers bc_label track_name artist_name`,
  ],
  'platE chart row': [
    () =>
      rowsOf(
        sources.platEChart({
          ...latest,
          country_code: 'IE',
          kind: 'top',
          genre: 'latin',
          raw: false,
        }),
      ),
    `${BASE} ${PEAK} ${PLAT_E}`,
  ],
  'platE chart row, raw': [
    () =>
      rowsOf(sources.platEChart({ ...latest, country_code: 'IE', kind: 'top', genre: 'latin' })),
    `${BASE} ${PLAT_E}`,
  ],
  'platG chart row': [
    () => rowsOf(sources.platGChart({ ...latest, country_code: 'GLOBAL' })),
    `${BASE} ${PEAK} code2 city genre platG_track_id platH_id platH_track_id platH_album_id num_of_platGs
     countries_charting_count`,
  ],
  'platD track chart row': [
    () => rowsOf(sources.platDTrackChart(latest)),
    `id platD_track_id platD name isrc image_url cm_track platD_artist_names platD_track_ids album_ids album_names
     album_upc album_label release_dates rank posts added_at velocity pre_rank peak_rank peak_date time_on_chart
     rankStats views views_prev`,
  ],
  'platA artist chart row': [
    () => rowsOf(sources.platAArtistChart({ ...latest, interval: 'weekly', type: 'popularity' })),
    `id name image_url isni code2 hometown_city current_city sp_followers sp_popularity sp_monthly_listeners
     platB_fans tags platA_artist_ids platH_artist_ids platB_artist_ids platC_artist_ids cm_artist_rank
     cm_artist_score timestp monthly_playlist_reach rank change streak peak_date peak_rank time_on_chart rankStats`,
  ],
  'platB track chart row': [
    () => rowsOf(sources.platBChart({ ...latest, country_code: 'US' })),
    `id name isrc image_url cm_track cm_artist artist_names code2s artist_images artist_covers album_ids
     album_names album_upc album_label release_dates platB platB_album platB_artist_names platB_artist_ids
     platB_track_ids platB_album_ids rank added_at code2 velocity pre_rank peak_rank peak_date time_on_chart rankStats`,
  ],
  'track filter row': [
    () =>
      rowsOf(sources.tracksByFilter({ today, offset: 0, limit: 50, range_period: 'weekly_diff' })),
    `cm_track album artist explicit genre image_url isrc name score songwriter moods latest weekly_diff`,
  ],
  'venue list row': [
    () => rowsOf(sources.venues({ today, offset: 0, limit: 50 })),
    'id name image_url city city_id country lat lng capacity venue_type latest_show biggest_artist',
  ],
  'festival row': [
    () => rowsOf(sources.festivals({ today, offset: 0, limit: 50 })),
    `id name date numberOfDays city country performersCount popularityRank eventSize topGenres links`,
  ],
  'radio station row': [
    () => rowsOf(sources.radioStations({})),
    `id name genre frequency market broadcast_area country station_state image_url aqh platform platL_followers
     platL_likes platN_followers platM_followers platO_views`,
  ],
  'live event row': [
    () =>
      [2, 3, 4, 5, 6, 7].flatMap((id) =>
        rowsOf(
          sources.artistEvents({
            ...{ today, id, status: 'past', fromDaysAgo: 900, toDaysAgo: 0, offset: 0, limit: 100 },
          }),
        ),
      ),
    `id event_name platQ_event_url platR_event_url platS_event_url platT_event_url image_url type start_date
     end_date venue_id venue_name venue_url venue_capacity city code2 low_price high_price price price_trend
     currency is_headliner`,
  ],
  'stream estimate item': [
    () => rowsOf(sources.streamEstimates({ today, ids: [0, 99_999_999] })),
    'cm_track status estimates',
  ],
  'stream estimate': [
    () =>
      rowsOf(sources.streamEstimates({ today, ids: [5] })).flatMap(
        (item) => item.estimates as Row[],
      ),
    `cm_track timestp playlist_stream_pct playlist_count expected_playlist_streams streams_gained_in_period
     expected_editorial expected_chart expected_user_other`,
  ],
  platE_user: [
    () =>
      rowsOf(
        sources.platEChart({ ...latest, country_code: 'GLOBAL', kind: 'top', genre: 'world' }),
      ).map((row) => row.platE_user as Row),
    `id kind username permalink permalink_url uri urn first_name last_name full_name description avatar_url city
     country_code verified visuals create_at last_modified followers_count followings_count comments_count
     groups_count likes_count playlist_likes_count playlist_count reposts_count track_count creator_subscriptions
     badges`,
  ],
  venueInfo: [
    () =>
      objectOf(sources.venueEvents({ today, id: '9', offset: 0, limit: 20 })).venueInfo as Row[],
    'doc_id name lat lng cm_location code2 image_url city_id capacity city_name venue_url',
  ],
  'venue event': [
    () => objectOf(sources.venueEvents({ today, id: '9', offset: 0, limit: 20 })).events as Row[],
    'event_id event_name event_image_url start_date end_date artists',
  ],
}

describe('every row has exactly the members that the specification lists', () => {
  it.each(Object.entries(MEMBERS))('%s', (_name, [rows, members]) => {
    const made = rows()
    expect(made.length).toBeGreaterThan(0)
    const documented = members.trim().split(/\s+/).sort()
    for (const row of made) expect(Object.keys(row).sort()).toEqual(documented)
  })
})

describe('search', () => {
  it('keys its buckets, its playlists and its curators as the specification does', () => {
    const found = objectOf(sources.search({ today, q: 'a', offset: 0, limit: 2 }))
    expect(Object.keys(found).sort()).toEqual(
      `albums artists cities countries curators festivals genres labels playlists songwriters stations tracks`.split(
        ' ',
      ),
    )
    expect(Object.keys(found.playlists as Row).sort()).toEqual(
      'platA platB platC platE platI platJ'.split(' '),
    )
    expect(Object.keys(found.curators as Row).sort()).toEqual(
      'platA platB platC platI platJ'.split(' '),
    )
  })

  it.each([
    ['artists', 'cm_artist_score id image_url isni name sp_followers sp_monthly_listeners'],
    ['tracks', 'artist_names id image_url isrc name'],
    ['albums', 'id image_url label name'],
    ['cities', 'code2 country id name name_ascii population province trigger_city'],
    ['songwriters', 'artistName doc_id image_url name'],
  ] as const)('gives the documented members of %s', (kind, members) => {
    const [row] = objectOf(sources.search({ today, q: 'a', type: kind, offset: 0, limit: 1 }))[
      kind
    ] as Row[]
    expect(Object.keys(row ?? {}).sort()).toEqual(members.split(' '))
  })
})
