import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../src/schema/index.ts'
import { openRun } from './support/run.ts'

interface Shape {
  /** The field of the root, with its arguments, down to what stands for a row; `{}` is where the selection goes. */
  readonly query: string
  /** Path of the rows in the answer. */
  readonly rows: string
  /** Wire member → the fields that reach it from a row. A dot in the member is nesting, and so is one in the path. */
  readonly members: Readonly<Record<string, string>>
  /** A row with what the sandbox never tells, in place of the one at this path. */
  readonly instead?: readonly [path: string, row: object]
}

const PLACE = {
  rank: 'rank',
  pre_rank: 'previousRank',
  peak_rank: 'peakRank',
  peak_date: 'peakDate',
  added_at: 'addedAt',
  velocity: 'velocity',
  time_on_chart: 'timeOnChart',
  rankStats: 'rankHistory',
  'rankStats.rank': 'rankHistory.rank',
  'rankStats.timestp': 'rankHistory.date',
}

const ALBUMS = {
  album_ids: 'albumCredits.album, arrays.albumIds',
  album_names: 'albumCredits.name, arrays.albumNames',
  album_upc: 'albumCredits.upc, arrays.albumUpcs',
  album_label: 'albumCredits.label, arrays.albumLabels',
  release_dates: 'albumCredits.releaseDate, arrays.releaseDates',
}

const RECORDING = {
  id: 'rowId',
  name: 'name',
  isrc: 'isrc',
  image_url: 'imageUrl',
  cm_track: 'track, track.cmId',
  ...ALBUMS,
}

const ARTISTS = {
  cm_artist: 'artists, artistCredits.artist, arrays.artistIds',
  artist_names: 'artistCredits.name, arrays.artistNames',
  code2s: 'artistCredits.countryCode, arrays.artistCountryCodes',
  artist_images: 'artistCredits.imageUrl, arrays.artistImageUrls',
  artist_covers: 'artistCredits.coverUrl, arrays.artistCoverUrls',
}

const BASE = {
  ...PLACE,
  ...RECORDING,
  ...ARTISTS,
  description: 'description',
  tags: 'tags',
  platA_track_ids: 'arrays.platATrackIds',
  platA_album_ids: 'arrays.platAAlbumIds',
  platA_duration_ms: 'platADurationMs',
  platH_track_ids: 'arrays.platHTrackIds',
  platH_album_ids: 'arrays.platHAlbumIds',
  platH_artist_ids: 'arrays.platHArtistIds',
  platH_artist_names: 'arrays.platHArtistNames',
  storefronts: 'arrays.storefronts',
  platB_track_ids: 'arrays.platBTrackIds',
  platB_album_ids: 'arrays.platBAlbumIds',
  platB_duration: 'platBDuration',
  platC_track_ids: 'arrays.platCTrackIds',
  platC_album_ids: 'arrays.platCAlbumIds',
  created_at: 'createdAt',
  modified_at: 'modifiedAt',
}

const GENRE = (at: string, from: string) => ({
  [`${at}.id`]: `${from}.cmId`,
  [`${at}.name`]: `${from}.name`,
  [`${at}.type`]: `${from}.type`,
  [`${at}.source`]: `${from}.source`,
})

const RANGES =
  `AIRPLAY_STREAMS RANK PLAT_A_PLAYS PLAT_A_POPULARITY PLAT_A_PLAYLIST_COUNT PLAT_A_PLAYLIST_TOTAL_REACH
  PLAT_A_EDITORIAL_PLAYLIST_COUNT PLAT_A_EDITORIAL_PLAYLIST_TOTAL_REACH PLAT_B_PLAYLIST_COUNT PLAT_C_PLAYLIST_COUNT
  PLAT_D_POSTS PLAT_D_TOP_VIDEOS_LIKES PLAT_D_TOP_VIDEOS_VIEWS PLAT_E_PLAYS PLAT_G_COUNT PLAT_H_PLAYLIST_COUNT
  PLAT_J_LIKES PLAT_J_PLAYLIST_COUNT PLAT_J_VIEWS PLAT_K_POPULARITY PLAT_V_STREAMS`
    .split(/\s+/)
    .map((stat) => `{ stat: ${stat}, min: -1000000000000000 }`)
    .join(', ')

const STATS = Object.entries({
  airplay_streams: 'airplayStreams',
  platC_playlist_count: 'platCPlaylistCount',
  platB_playlist_count: 'platBPlaylistCount',
  platH_playlist_count: 'platHPlaylistCount',
  platG_count: 'platGCount',
  platV_streams: 'platVStreams',
  platE_plays: 'platEPlays',
  platA_playlist_count: 'platAPlaylistCount',
  platA_playlist_total_reach: 'platAPlaylistTotalReach',
  platA_plays: 'platAPlays',
  platA_popularity: 'platAPopularity',
  platA_ed_playlist_count: 'platAEditorialPlaylistCount',
  platA_ed_playlist_total_reach: 'platAEditorialPlaylistTotalReach',
  platK_popularity: 'platKPopularity',
  platD_posts: 'platDPosts',
  platD_top_videos_likes: 'platDTopVideosLikes',
  platD_top_videos_views: 'platDTopVideosViews',
  platJ_likes: 'platJLikes',
  platJ_playlist_count: 'platJPlaylistCount',
  platJ_views: 'platJViews',
  rank: 'rank',
})

const PERIODS = {
  latest: 'latest',
  weekly_diff: 'weeklyDiff',
  monthly_diff: 'monthlyDiff',
  bimonthly_diff: 'bimonthlyDiff',
  weekly_diff_percent: 'weeklyDiffPercent',
  monthly_diff_percent: 'monthlyDiffPercent',
  bimonthly_diff_percent: 'bimonthlyDiffPercent',
}

/** The map of a period's statistics, as rows of the track filter have it where all are asked for. */
const period = ([wire, field]: readonly [string, string]): readonly [string, Shape] => [
  `track filter row, ${wire}`,
  {
    query: `tracksByStat(first: 100, period: ${wire.toUpperCase()}, filter: { ranges: [${RANGES}] }) { nodes {} }`,
    rows: 'tracksByStat.nodes',
    members: Object.fromEntries([
      [wire, field],
      ...STATS.map(([stat, of]) => [`${wire}.${stat}`, `${field}.${of}`]),
    ]),
  },
]

const chart = (field: string, members: Readonly<Record<string, string>>): Shape => ({
  query: `charts { ${field} { nodes {} } }`,
  rows: `charts.${field.split('(')[0]}.nodes`,
  members,
})

/** Every member of every row shape, as the specification lists them under its resources. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'artist stat-range row': {
    query:
      'artistsByStat(stat: PLAT_A_FOLLOWERS, min: 0, max: 100000000000, first: 200) { nodes {} }',
    rows: 'artistsByStat.nodes',
    members: {
      cm_artist_id: 'artist, artist.cmId',
      name: 'artist.name',
      code2: 'artist.countryCode',
      genres: 'genres',
      cpp_rank: 'rank',
      rank_eg: 'engagementRank',
      rank_fb: 'fanBaseRank',
      platA_popularity: 'platAPopularity',
      platA_followers: 'platAFollowers',
      platA_monthly_listeners: 'platAMonthlyListeners',
      platA_listeners_to_followers_ratio: 'platAListenersToFollowersRatio',
      platA_followers_to_listeners_ratio: 'platAFollowersToListenersRatio',
      platB_fans: 'platBFans',
      platL_likes: 'platLLikes',
      platL_talks: 'platLTalks',
      platM_followers: 'platMFollowers',
      platM_retweets: 'platMRetweets',
      platN_followers: 'platNFollowers',
      platJ_channel_views: 'platJChannelViews',
      platJ_subscribers: 'platJSubscribers',
      platJ_daily_video_views: 'platJDailyVideoViews',
      platJ_monthly_video_views: 'platJMonthlyVideoViews',
      platO_views: 'platOViews',
      platE_followers: 'platEFollowers',
      platP_followers: 'platPFollowers',
      platD_followers: 'platDFollowers',
      platD_likes: 'platDLikes',
      sp_where_people_listen: 'platAWherePeopleListen',
      'sp_where_people_listen.code2': 'platAWherePeopleListen.countryCode',
      'sp_where_people_listen.listeners': 'platAWherePeopleListen.listeners',
      'sp_where_people_listen.name': 'platAWherePeopleListen.name',
      signed: 'isSigned',
    },
  },
  'artist metadata': {
    query:
      'artists(cmIds: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]) {}',
    rows: 'artists',
    instead: [
      '/api/artist/20',
      {
        local_name: '夜のラジオ',
        local_name_locale: 'ja',
        gender_title: 'Female',
        gender: 'female',
      },
    ],
    members: {
      id: 'cmId',
      name: 'name',
      local_name: 'localName',
      local_name_locale: 'localNameLocale',
      created_at: 'createdAt',
      code2: 'countryCode',
      band: 'isBand',
      pronoun_title: 'pronounTitle',
      gender_title: 'genderTitle',
      gender: 'gender',
      isni: 'isni',
      cm_artist_rank: 'rank',
      cm_artist_score: 'score',
      cover_url: 'coverUrl',
      image_url: 'imageUrl',
      hometown_city: 'hometownCity',
      current_city: 'currentCity',
      current_city_id: 'currentCityId',
      band_members: 'bandMembers',
      booking_agent: 'bookingAgent',
      record_label: 'recordLabel',
      press_contact: 'pressContact',
      general_manager: 'generalManager',
      topSongwriterCollaborators: 'topSongwriterCollaborators',
      description: 'description',
      genres: 'genres',
      'genres.primary': 'genres.primary',
      ...GENRE('genres.primary', 'genres.primary'),
      'genres.secondary': 'genres.secondary',
      ...GENRE('genres.secondary', 'genres.secondary'),
      'genres.sub': 'genres.sub',
      ...GENRE('genres.sub', 'genres.sub'),
      genre_smart_ordered: 'genreSmartOrdered',
      moods: 'moods',
      'moods.id': 'moods.cmId',
      'moods.name': 'moods.name',
      activities: 'activities',
      'activities.id': 'activities.cmId',
      'activities.name': 'activities.name',
      career_status: 'careerStatus',
      'career_status.stage': 'careerStatus.stage',
      'career_status.stage_score': 'careerStatus.stageScore',
      'career_status.trend': 'careerStatus.trend',
      'career_status.trend_score': 'careerStatus.trendScore',
      cm_statistics: 'statistics',
      'cm_statistics.countryRank': 'statistics.countryRank',
      'cm_statistics.countryRank.code2': 'statistics.countryRank.countryCode',
      'cm_statistics.countryRank.country': 'statistics.countryRank.country',
      'cm_statistics.countryRank.rank': 'statistics.countryRank.rank',
      'cm_statistics.countryRank.percentile': 'statistics.countryRank.percentile',
      'cm_statistics.sp_followers': 'statistics.platAFollowers',
      'cm_statistics.sp_followers_rank': 'statistics.platAFollowersRank',
      'cm_statistics.sp_popularity': 'statistics.platAPopularity',
      'cm_statistics.sp_popularity_rank': 'statistics.platAPopularityRank',
      'cm_statistics.sp_monthly_listeners': 'statistics.platAMonthlyListeners',
      'cm_statistics.sp_monthly_listeners_rank': 'statistics.platAMonthlyListenersRank',
      'cm_statistics.sp_where_people_listen': 'statistics.platAWherePeopleListen',
      'cm_statistics.sp_where_people_listen.code2': 'statistics.platAWherePeopleListen.countryCode',
      'cm_statistics.sp_where_people_listen.listeners':
        'statistics.platAWherePeopleListen.listeners',
      'cm_statistics.sp_where_people_listen.name': 'statistics.platAWherePeopleListen.name',
      'cm_statistics.cm_artist_rank': 'statistics.rank',
      'cm_statistics.fan_base_rank': 'statistics.fanBaseRank',
      'cm_statistics.engagement_rank': 'statistics.engagementRank',
      'cm_statistics.platG_count': 'statistics.platGCount',
      'cm_statistics.platW_pageviews': 'statistics.platWPageViews',
      genreRank: 'genreRank',
      'genreRank.name': 'genreRank.name',
      'genreRank.rank': 'genreRank.rank',
      subGenreRank1: 'subGenreRank1',
      'subGenreRank1.name': 'subGenreRank1.name',
      'subGenreRank1.rank': 'subGenreRank1.rank',
      subGenreRank2: 'subGenreRank2',
      'subGenreRank2.name': 'subGenreRank2.name',
      'subGenreRank2.rank': 'subGenreRank2.rank',
    },
  },
  'track metadata': {
    query:
      'tracks(cmIds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]) {}',
    rows: 'tracks',
    instead: [
      '/api/track/19',
      {
        local_name: '夜のラジオ',
        local_name_locale: 'ja',
        cm_songwriters: [{ id: 61, name: 'Ada Quill' }],
      },
    ],
    members: {
      id: 'cmId',
      name: 'name',
      local_name: 'localName',
      local_name_locale: 'localNameLocale',
      isrc: 'isrc',
      image_url: 'imageUrl',
      preview_url: 'previewUrl',
      duration_ms: 'durationMs',
      composer_name: 'composerName',
      track_tier: 'trackTier',
      artists: 'artists',
      'artists.id': 'artists.cmId',
      'artists.name': 'artists.name, artistNames',
      'artists.image_url': 'artists.imageUrl',
      'artists.code2': 'artists.countryCode',
      albums: 'albums, albumCredits',
      'albums.id': 'albumCredits.album, albums.cmId',
      'albums.name': 'albumCredits.name, albums.name',
      'albums.upc': 'albumCredits.upc, albums.upc',
      'albums.release_date': 'albumCredits.releaseDate, albums.releaseDate',
      'albums.label': 'albumCredits.label, albums.label',
      'albums.image_url': 'albumCredits.imageUrl, albums.imageUrl',
      'albums.popularity': 'albumCredits.popularity',
      tags: 'tags',
      moods: 'moods',
      activities: 'activities',
      genres: 'genres',
      songwriters: 'songwriters',
      cm_songwriters: 'cmSongwriters',
      score: 'score',
      release_date: 'releaseDate',
      album_label: 'albumLabel',
      explicit: 'isExplicit',
      cm_statistics: 'statistics',
      'cm_statistics.cm_track': 'statistics.trackId',
      'cm_statistics.sp_popularity': 'statistics.platAPopularity',
      'cm_statistics.num_tt_videos': 'statistics.platDVideoCount',
      'cm_statistics.sp_streams': 'statistics.platAStreams',
      'cm_statistics.platW_page_views': 'statistics.platWPageViews',
      'cm_statistics.platJ_views': 'statistics.platJViews',
    },
  },
  'album metadata': {
    query:
      'albums(cmIds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]) {}',
    rows: 'albums',
    instead: [
      '/api/album/19',
      {
        local_name: '夜のラジオ',
        local_name_locale: 'ja',
        description: 'Eleven songs.',
        created_at: '2025-04-24T02:11:09.000Z',
        modified_at: '2025-12-01T02:11:09.000Z',
      },
    ],
    members: {
      id: 'rowId',
      upc: 'upc',
      name: 'name',
      local_name: 'localName',
      local_name_locale: 'localNameLocale',
      description: 'description',
      image_url: 'imageUrl',
      release_date: 'releaseDate',
      label: 'label',
      platA_popularity: 'platAPopularity',
      cm_label: 'labelId',
      cm_album: 'cmId',
      created_at: 'createdAt',
      modified_at: 'modifiedAt',
      num_track: 'trackCount',
      platA_album_ids: 'platAAlbumIds',
      platH_album_ids: 'platHAlbumIds',
      platB_album_ids: 'platBAlbumIds',
      artists: 'artists',
      'artists.cm_artist': 'artists.cmId',
      'artists.name': 'artists.name, artistNames',
      'artists.image_url': 'artists.imageUrl',
      cm_statistics: 'statistics',
      'cm_statistics.sp_popularity': 'statistics.platAPopularity',
      'cm_statistics.num_sp_editorial_playlists': 'statistics.platAEditorialPlaylistCount',
      'cm_statistics.num_sp_playlists': 'statistics.platAPlaylistCount',
      'cm_statistics.sp_playlist_total_reach': 'statistics.platAPlaylistTotalReach',
      'cm_statistics.sp_editorial_playlist_total_reach':
        'statistics.platAEditorialPlaylistTotalReach',
    },
  },
  'playlist row': {
    query: 'playlists(platform: PLAT_B, first: 100) { edges {} }',
    rows: 'playlists.edges',
    members: {
      position: 'position',
      id: 'node.cmId',
      code2: 'node.countryCode',
      playlist_id: 'node.playlistId',
      name: 'node.name',
      image_url: 'node.imageUrl',
      personalized: 'node.isPersonalized',
      followers: 'node.followers',
      last_updated: 'node.lastUpdated',
      owner_name: 'node.ownerName',
      owner_id: 'node.ownerId',
      user_id: 'node.userId',
      editorial: 'node.isEditorial',
      fdiff_week: 'node.weeklyFollowerChange',
      fdiff_month: 'node.monthlyFollowerChange',
      fdiff_percent_week: 'node.weeklyFollowerChangePercent',
      fdiff_percent_month: 'node.monthlyFollowerChangePercent',
      catalog: 'node.catalog',
      active_ratio: 'node.activeRatio',
      genre: 'node.genres',
    },
  },
  'search result': {
    query: 'search(query: "a") {}',
    rows: 'search',
    members: {
      artists: 'artists',
      'artists.id': 'artists.nodes.cmId',
      'artists.name': 'artists.nodes.name',
      'artists.image_url': 'artists.nodes.imageUrl',
      'artists.isni': 'artists.nodes.isni',
      'artists.sp_followers': 'artists.edges.platAFollowers',
      'artists.sp_monthly_listeners': 'artists.edges.platAMonthlyListeners',
      'artists.cm_artist_score': 'artists.nodes.score',
      playlists: 'playlists(platform: PLAT_A)',
      'playlists.id': 'playlists(platform: PLAT_A).nodes.cmId',
      'playlists.name': 'playlists(platform: PLAT_A).nodes.name',
      'playlists.image_url': 'playlists(platform: PLAT_A).nodes.imageUrl',
      'playlists.owner_name': 'playlists(platform: PLAT_A).nodes.ownerName',
      tracks: 'tracks',
      'tracks.id': 'tracks.nodes.cmId',
      'tracks.name': 'tracks.nodes.name',
      'tracks.image_url': 'tracks.nodes.imageUrl',
      'tracks.isrc': 'tracks.nodes.isrc',
      'tracks.artist_names': 'tracks.nodes.artistNames',
      curators: 'curators(platform: PLAT_A)',
      'curators.id': 'curators(platform: PLAT_A).nodes.cmId',
      'curators.name': 'curators(platform: PLAT_A).nodes.name',
      'curators.image_url': 'curators(platform: PLAT_A).nodes.imageUrl',
      albums: 'albums',
      'albums.id': 'albums.nodes.cmId',
      'albums.name': 'albums.nodes.name',
      'albums.image_url': 'albums.nodes.imageUrl',
      'albums.label': 'albums.nodes.label',
      cities: 'cities',
      'cities.id': 'cities.nodes.cmId',
      'cities.name': 'cities.nodes.name',
      'cities.name_ascii': 'cities.nodes.nameAscii',
      'cities.population': 'cities.nodes.population',
      'cities.country': 'cities.nodes.country',
      'cities.code2': 'cities.nodes.countryCode',
      'cities.province': 'cities.nodes.province',
      'cities.trigger_city': 'cities.nodes.isTriggerCity',
      songwriters: 'songwriters',
      'songwriters.name': 'songwriters.nodes.name',
      'songwriters.doc_id': 'songwriters.nodes.cmId',
      'songwriters.artistName': 'songwriters.nodes.artistName',
      'songwriters.image_url': 'songwriters.nodes.imageUrl',
      stations: 'stations',
      labels: 'labels',
      countries: 'countries',
      genres: 'genres',
      festivals: 'festivals',
    },
  },
  suggestion: {
    query: 'suggestions(query: "a") { nodes {} }',
    rows: 'suggestions.nodes',
    members: { match_strength: 'matchStrength', target: 'target' },
  },
  'platU chart row': chart('platU(first: 100)', { ...BASE, platU: 'platU' }),
  'platF chart row': chart('platF(genre: "techno", first: 100)', {
    ...BASE,
    genre: 'genre',
    platF: 'platF',
    remixers: 'remixers',
    bc_label: 'bcLabel',
    track_name: 'trackName',
    artist_name: 'artistName',
  }),
  'platE chart row': chart('platE(countryCode: "GLOBAL", kind: TOP, genre: "latin", first: 100)', {
    ...BASE,
    country: 'country',
    genre: 'genre',
    kind: 'kind',
    platE_track_id: 'platETrackId',
    playcount_all: 'playcountAll',
    playcount_weekly: 'playcountWeekly',
    artwork_url: 'artworkUrl',
    permalink_url: 'permalinkUrl',
    public: 'isPublic',
    publisher: 'publisher',
    writer_composer: 'writerComposer',
    artist: 'artistName',
    album_title: 'albumTitle',
    platE_user: 'platEUser',
  }),
  'platG chart row': chart(
    'platG(countryCode: "US", city: "Ironport", genre: "rock", first: 100)',
    {
      ...BASE,
      code2: 'countryCode',
      city: 'city',
      genre: 'genre',
      platG_track_id: 'platGTrackId',
      platH_id: 'platHId',
      platH_track_id: 'platHTrackIds',
      platH_album_id: 'platHAlbumIds',
      num_of_platGs: 'platGCount',
      countries_charting_count: 'countriesChartingCount',
    },
  ),
  'platD track chart row': chart('platDTracks(first: 100)', {
    ...PLACE,
    'rankStats.posts': 'rankHistory.posts',
    ...RECORDING,
    platD_track_id: 'platDTrackId',
    platD: 'platD',
    platD_artist_names: 'artistCredits, arrays.platDArtistNames',
    platD_track_ids: 'arrays.platDTrackIds',
    posts: 'posts',
    views: 'views',
    views_prev: 'previousViews',
  }),
  'platA artist chart row': chart('platAArtists(interval: DAILY, type: FOLLOWERS, first: 100)', {
    id: 'artist, artist.cmId',
    name: 'artist.name',
    image_url: 'artist.imageUrl',
    isni: 'artist.isni',
    code2: 'artist.countryCode',
    hometown_city: 'artist.hometownCity',
    current_city: 'artist.currentCity',
    sp_followers: 'platAFollowers',
    sp_popularity: 'platAPopularity',
    sp_monthly_listeners: 'platAMonthlyListeners',
    platB_fans: 'platBFans',
    tags: 'tags',
    platA_artist_ids: 'platAArtistIds',
    platH_artist_ids: 'platHArtistIds',
    platB_artist_ids: 'platBArtistIds',
    platC_artist_ids: 'platCArtistIds',
    cm_artist_rank: 'artistRank',
    cm_artist_score: 'artistScore',
    timestp: 'date',
    monthly_playlist_reach: 'monthlyPlaylistReach',
    rank: 'rank',
    change: 'change',
    streak: 'streak',
    peak_date: 'peakDate',
    peak_rank: 'peakRank',
    time_on_chart: 'timeOnChart',
    rankStats: 'rankHistory',
    'rankStats.date': 'rankHistory.date',
    'rankStats.rank': 'rankHistory.rank',
  }),
  'platB track chart row': chart('platB(countryCode: "US", first: 100)', {
    ...PLACE,
    ...RECORDING,
    ...ARTISTS,
    platB: 'platB',
    platB_album: 'platBAlbum',
    platB_artist_names: 'arrays.platBArtistNames',
    platB_artist_ids: 'arrays.platBArtistIds',
    platB_track_ids: 'arrays.platBTrackIds',
    platB_album_ids: 'arrays.platBAlbumIds',
    code2: 'countryCode',
  }),
  'track filter row': {
    query: 'tracksByStat(first: 50) { nodes {} }',
    rows: 'tracksByStat.nodes',
    members: {
      cm_track: 'track, track.cmId',
      album: 'albumCredits, albums',
      'album.id': 'albumCredits.album, albums.cmId',
      'album.label': 'albumCredits.label, albums.label',
      'album.name': 'albumCredits.name, albums.name',
      'album.release_date': 'albumCredits.releaseDate, albums.releaseDate',
      'album.upc': 'albumCredits.upc, albums.upc',
      artist: 'artistCredits, artists',
      'artist.id': 'artistCredits.artist, artists.cmId',
      'artist.name': 'artistCredits.name, artists.name',
      explicit: 'track.isExplicit',
      genre: 'genres',
      image_url: 'track.imageUrl',
      isrc: 'track.isrc',
      name: 'track.name',
      score: 'score',
      songwriter: 'songwriters',
      moods: 'moods',
    },
  },
  ...Object.fromEntries(Object.entries(PERIODS).map(period)),
  'venue list row': {
    query: 'venues(first: 100) { nodes {} }',
    rows: 'venues.nodes',
    members: {
      id: 'venue, venue.cmId',
      name: 'venue.name',
      image_url: 'venue.imageUrl',
      city: 'venue.cityName',
      city_id: 'venue.cityId',
      country: 'venue.countryCode',
      lat: 'venue.latitude',
      lng: 'venue.longitude',
      capacity: 'venue.capacity',
      venue_type: 'venueType',
      latest_show: 'latestShow',
      'latest_show.date': 'latestShow.date',
      'latest_show.title': 'latestShow.title',
      biggest_artist: 'biggestArtist',
      'biggest_artist.id': 'biggestArtist.cmId',
      'biggest_artist.name': 'biggestArtist.name',
    },
  },
  'festival row': {
    query: 'festivals(first: 100) { nodes {} }',
    rows: 'festivals.nodes',
    members: {
      id: 'cmId',
      name: 'name',
      date: 'date, startsAt',
      numberOfDays: 'numberOfDays',
      city: 'city',
      country: 'countryCode',
      performersCount: 'performerCount',
      popularityRank: 'popularityRank',
      eventSize: 'eventSize',
      topGenres: 'topGenres',
      'topGenres.id': 'topGenres.cmId',
      'topGenres.name': 'topGenres.name',
      links: 'links',
      'links.platQ': 'links.platQ',
      'links.platR': 'links.platR',
      'links.platS': 'links.platS',
    },
  },
  'stream estimate item': {
    query: 'streamEstimates(trackCmIds: [0, 1, 2, 3]) {}',
    rows: 'streamEstimates',
    members: {
      cm_track: 'track, track.cmId',
      status: 'status',
      estimates: 'estimates',
      'estimates.cm_track': 'estimates.trackId',
      'estimates.timestp': 'estimates.date',
      'estimates.playlist_stream_pct': 'estimates.playlistStreamPercent',
      'estimates.playlist_count': 'estimates.playlistCount',
      'estimates.expected_playlist_streams': 'estimates.expectedPlaylistStreams',
      'estimates.streams_gained_in_period': 'estimates.streamsGainedInPeriod',
      'estimates.expected_editorial': 'estimates.expectedEditorial',
      'estimates.expected_chart': 'estimates.expectedChart',
      'estimates.expected_user_other': 'estimates.expectedUserOther',
    },
  },
  'radio station row': {
    query: 'radioStations(first: 200) { nodes {} }',
    rows: 'radioStations.nodes',
    members: {
      id: 'cmId',
      name: 'name',
      genre: 'genre',
      frequency: 'frequency',
      market: 'market',
      broadcast_area: 'broadcastArea',
      country: 'country',
      station_state: 'stationState',
      image_url: 'imageUrl',
      aqh: 'averageQuarterHour',
      platform: 'platform',
      platL_followers: 'platLFollowers',
      platL_likes: 'platLLikes',
      platN_followers: 'platNFollowers',
      platM_followers: 'platMFollowers',
      platO_views: 'platOViews',
    },
  },
  'live event row': {
    query:
      'artists(cmIds: [2, 3, 4, 5, 6, 7, 8, 9]) { events(status: PAST, fromDaysAgo: 900, toDaysAgo: 0, first: 100) { nodes {} } }',
    rows: 'artists.events.nodes',
    members: {
      id: 'cmId',
      event_name: 'name',
      platQ_event_url: 'platQEventUrl',
      platR_event_url: 'platREventUrl',
      platS_event_url: 'platSEventUrl',
      platT_event_url: 'platTEventUrl',
      image_url: 'imageUrl',
      type: 'type',
      start_date: 'startDate',
      end_date: 'endDate',
      venue_id: 'venue, venue.cmId',
      venue_name: 'venueName',
      venue_url: 'venueUrl',
      venue_capacity: 'venueCapacity',
      city: 'city',
      'city.id': 'city.cmId',
      'city.name': 'city.name, cityName',
      'city.province': 'city.province, province',
      code2: 'countryCode',
      low_price: 'lowPrice',
      high_price: 'highPrice',
      price: 'price',
      price_trend: 'priceTrend',
      'price_trend.date': 'priceTrend.date',
      'price_trend.price': 'priceTrend.price',
      currency: 'currency',
      is_headliner: 'isHeadliner',
    },
  },
  'venue events result': {
    query: 'nodes(ids: ["Venue:1", "Venue:2", "Venue:3", "Venue:9"]) { ... on Venue {} }',
    rows: 'nodes',
    members: {
      doc_id: 'cmId',
      name: 'name',
      lat: 'latitude',
      lng: 'longitude',
      cm_location: 'locationId',
      code2: 'countryCode',
      image_url: 'imageUrl',
      city_id: 'cityId',
      capacity: 'capacity',
      city_name: 'cityName',
      venue_url: 'url',
      events: 'events',
      event_id: 'events.nodes.cmId',
      event_name: 'events.nodes.name',
      event_image_url: 'events.nodes.imageUrl',
      start_date: 'events.nodes.startDate',
      end_date: 'events.nodes.endDate',
      artists: 'events.nodes.lineup',
      'artists.id': 'events.nodes.lineup.artist',
      'artists.name': 'events.nodes.lineup.name',
      'artists.is_headliner': 'events.nodes.lineup.isHeadliner',
    },
  },
}

const filled = ({ query }: Shape, selection: string) =>
  `{ ${query.replace('{}', `{ ${selection} }`)} }`

/** The type that a row of a shape has in the schema. */
const typeOf = (shape: Shape): GraphQLObjectType | undefined => {
  const info = new TypeInfo(schema)
  let found: GraphQLObjectType | undefined
  visit(
    parse(filled(shape, '__typename')),
    visitWithTypeInfo(info, {
      Field({ name }) {
        const parent = info.getParentType()
        if (name.value === '__typename' && isObjectType(parent)) found = parent
      },
    }),
  )
  return found
}

const bare = (step: string) => step.replace(/\(.*\)$/, '')
const pathsOf = (fields: string) => fields.split(/, (?![^(]*\))/)

/** The fields along a path, each with the type that it is a field of; shorter than the path where one is missing. */
const walk = (from: GraphQLObjectType | undefined, path: string) => {
  const steps: { of: GraphQLObjectType; field: GraphQLField<unknown, unknown> }[] = []
  let of: GraphQLNamedType | undefined = from
  for (const step of path.split('.')) {
    const field: GraphQLField<unknown, unknown> | undefined = isObjectType(of)
      ? of.getFields()[bare(step)]
      : undefined
    if (field === undefined || !isObjectType(of)) return steps
    steps.push({ of, field })
    of = getNamedType(field.type)
  }
  return steps
}

/** What is said of a field, by its own type and by the interfaces that it comes from. */
const saidOf = (of: GraphQLObjectType, name: string): string =>
  [of, ...of.getInterfaces()].map((type) => type.getFields()[name]?.description ?? '').join('\n')

const mentions = (text: string, wire: string): boolean =>
  new RegExp(`Wire:.*(?<![\\w])${wire.replace('.', '\\.')}(?![\\w])`).test(text)

interface Tree extends Map<string, Tree> {}

const treeOf = (paths: readonly string[]): Tree => {
  const root: Tree = new Map()
  for (const path of paths) {
    let at = root
    for (const step of path.split('.')) {
      const below: Tree = at.get(step) ?? new Map()
      at.set(step, below)
      at = below
    }
  }
  return root
}

/** The selection of some paths; what is no leaf and has nothing selected gives its type's name. */
const selectionOf = (tree: Tree, type: GraphQLNamedType | undefined): string =>
  [...tree]
    .map(([step, below]) => {
      const field = isObjectType(type) ? type.getFields()[bare(step)] : undefined
      const inner = field && getNamedType(field.type)
      if (!isObjectType(inner) && !isInterfaceType(inner)) return step
      return `${step} { ${below.size === 0 ? '__typename' : selectionOf(below, inner)} }`
    })
    .join(' ')

const valuesAt = (value: unknown, path: readonly string[]): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path))
  const [step, ...rest] = path
  if (value === null || value === undefined) return []
  return step === undefined ? [value] : valuesAt(Reflect.get(Object(value), bare(step)), rest)
}

describe.each(Object.entries(SHAPES))('%s', (_name, shape) => {
  const type = typeOf(shape)
  const members = Object.entries(shape.members).flatMap(([wire, fields]) =>
    pathsOf(fields).map((path) => [wire, path] as const),
  )

  test('has each member behind a field whose description names it', () => {
    const faults = members.flatMap(([wire, path]) => {
      const steps = walk(type, path)
      const last = steps.at(-1)
      if (last === undefined || steps.length < path.split('.').length)
        return [`${wire}: there is no ${path}`]
      const own = wire.split('.').at(-1) ?? wire
      const said = saidOf(last.of, last.field.name)
      return mentions(said, own) ? [] : [`${wire}: ${path} says ${said}`]
    })
    expect(faults).toEqual([])
  })

  test('has a value for each of them in some row', async () => {
    const run = await openRun()
    if (shape.instead !== undefined)
      run.sandbox.faults.inject(shape.instead[0], { body: { obj: shape.instead[1] } })
    const paths = members.map(([, path]) => path)
    const { data, errors } = await run.query(filled(shape, selectionOf(treeOf(paths), type)))
    await run.close()
    expect(errors).toEqual([])
    const rows = valuesAt(data, shape.rows.split('.'))
    const without = paths.filter((path) => valuesAt(rows, path.split('.')).length === 0)
    expect(without).toEqual([])
  })
})

interface Described {
  readonly name: string
  readonly description?: string | null | undefined
}

const at = (of: string, { name, description }: Described): [string, string | null | undefined] => [
  `${of}.${name}`,
  description,
]

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))

/** Everything that has a name in the schema, with what is said of it. */
const named = types.flatMap((type): [string, string | null | undefined][] => {
  const own: [string, string | null | undefined] = [type.name, type.description]
  if (isEnumType(type)) return [own, ...type.getValues().map((value) => at(type.name, value))]
  if (isInputObjectType(type))
    return [own, ...Object.values(type.getFields()).map((field) => at(type.name, field))]
  if (isObjectType(type) || isInterfaceType(type))
    return [
      own,
      ...Object.values(type.getFields()).flatMap((field) => [
        at(type.name, field),
        ...field.args.map((arg) => at(`${type.name}.${field.name}`, arg)),
      ]),
    ]
  return [own]
})

describe('the schema', () => {
  test('says something of every type, field, argument and enum value', () => {
    expect(named.length).toBeGreaterThan(1000)
    expect(named.filter(([, said]) => !said?.trim()).map(([name]) => name)).toEqual([])
  })

  test('spells fields and arguments in camelCase, enum values in capitals, types in PascalCase', () => {
    const pattern = (name: string) => {
      const last = name.split('.').at(-1) ?? name
      if (!name.includes('.')) return /^[A-Z][A-Za-z]*$/.test(last)
      return isEnumType(schema.getType(name.split('.')[0] ?? ''))
        ? /^[A-Z]+(_[A-Z0-9]+)*$/.test(last)
        : /^[a-z][a-zA-Z0-9]*$/.test(last)
    }
    expect(named.map(([name]) => name).filter((name) => !pattern(name))).toEqual([])
  })

  test('asks with its booleans, but for those that Relay and the page contract name', () => {
    const booleans = types.flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields())
            .filter((field) => getNamedType(field.type).name === 'Boolean')
            .map((field) => `${type.name}.${field.name}`)
        : [],
    )
    expect(booleans.length).toBeGreaterThan(8)
    expect(booleans.filter((name) => !/\.(is|has)[A-Z]/.test(name))).toEqual(['PageInfo.truncated'])
  })

  test.each([
    [/^(code2|country_code)$/, /^(countryCode|artist)$/],
    [/^pre_rank$/, /^previousRank$/],
    [/^rankStats$/, /^rankHistory$/],
    [/^timestp$/, /^date$/],
    [/^doc_id$/, /^cmId$/],
    [/^lat$/, /^latitude$/],
    [/^lng$/, /^longitude$/],
    [/^fdiff_week$/, /^weeklyFollowerChange$/],
    [/^fdiff_month$/, /^monthlyFollowerChange$/],
    [/^fdiff_percent_week$/, /^weeklyFollowerChangePercent$/],
    [/^fdiff_percent_month$/, /^monthlyFollowerChangePercent$/],
    [/^(band|explicit|signed|is_headliner|personalized|editorial|public)$/, /^is[A-Z]/],
    [/^num_(track|sp)/, /Count$/],
    [/^performersCount$/, /^performerCount$/],
    [/^aqh$/, /^averageQuarterHour$/],
    [/^sp_(?!where)/, /^platA/],
    [/^sp_where_people_listen$/, /^platAWherePeopleListen$/],
  ])('renames %s as the contract says', (wire, field) => {
    const members = Object.values(SHAPES).flatMap((shape) =>
      Object.entries(shape.members).flatMap(([member, fields]) =>
        pathsOf(fields).map((path) => [member.split('.').at(-1) ?? '', path] as const),
      ),
    )
    const meant = members.filter(([member]) => wire.test(member))
    expect(meant.length).toBeGreaterThan(0)
    const others = meant.filter(([, path]) => !field.test(path.split('.').at(-1) ?? ''))
    expect(others).toEqual([])
  })

  test('keeps the platform of a member in the name of its field', () => {
    const lost = Object.entries(SHAPES).flatMap(([shape, { members }]) =>
      Object.entries(members).flatMap(([member, fields]) => {
        const platform = /plat[A-W]/.exec(member.split('.').at(-1) ?? '')?.[0]
        const kept = pathsOf(fields).some((path) => path.includes(platform ?? ''))
        return kept ? [] : [`${shape}: ${member}`]
      }),
    )
    expect(lost).toEqual([])
  })
})
