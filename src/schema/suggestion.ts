import { additionalFields } from '../upstream/decode.ts'
import { SEARCH_KIND } from '../upstream/endpoints/search.ts'
import {
  SUGGESTION_PLATFORM,
  type SuggestionRow,
  suggestions,
} from '../upstream/endpoints/search-suggestion.ts'
import { viewOf } from '../upstream/window.ts'
import { builder } from './builder.ts'
import { connectionOf, forward } from './connection.ts'
import { valuesOf } from './enum.ts'
import { pagedField } from './listing.ts'

const SearchKind = builder.enumType('SearchKind', {
  description: 'Kinds of search. Wire: type',
  values: valuesOf(SEARCH_KIND, {
    ALL: 'Wire: all',
    ARTISTS: 'Wire: artists',
    TRACKS: 'Wire: tracks',
    PLAYLISTS: 'Wire: playlists',
    CURATORS: 'Wire: curators',
    ALBUMS: 'Wire: albums',
    STATIONS: 'Wire: stations',
    CITIES: 'Wire: cities',
    SONGWRITERS: 'Wire: songwriters',
  }),
})

const SuggestionPlatform = builder.enumType('SuggestionPlatform', {
  description: 'Sources of the beta engine.',
  values: valuesOf(SUGGESTION_PLATFORM, {
    CM: 'The service itself. Wire: cm',
    ACR: 'Wire: acr',
    PLAT_A: 'Wire: platA',
    PLAT_B: 'Wire: platB',
    PLAT_C: 'Wire: platC',
    PLAT_E: 'Wire: platE',
    PLAT_H: 'Wire: platH',
    PLAT_I: 'Wire: platI',
    PLAT_J: 'Wire: platJ',
    PLAT_K: 'Wire: platK',
  }),
})

const Suggestion = builder.objectRef<SuggestionRow>('Suggestion').implement({
  description: 'A suggestion of the beta engine; its further members are not documented.',
  fields: (t) => ({
    target: t.expose('target', {
      type: 'String',
      description: 'Kind of thing found. Wire: target',
    }),
    matchStrength: t.expose('matchStrength', {
      type: 'Float',
      description: 'How well it matches. Wire: match_strength',
    }),
    additionalFields: t.field({
      type: 'JSON',
      description: 'Members not named here; null for none.',
      resolve: additionalFields,
    }),
  }),
})

const { connection } = connectionOf(
  'Suggestion',
  Suggestion,
  'Suggestions of the beta engine; ends by a short page.',
)
const view = viewOf(suggestions)

builder.queryField('suggestions', (t) =>
  pagedField(t, {
    type: connection,
    description:
      'Suggestions of the beta engine, one flat list. Wire: GET /api/search with beta=true',
    args: {
      query: t.arg.string({
        required: true,
        description: 'Text or URL, 1 to 100 characters. Wire: q',
      }),
      kind: t.arg({
        type: SearchKind,
        defaultValue: SEARCH_KIND.ALL,
        description: 'Kind of thing. Wire: type',
      }),
      platforms: t.arg({
        type: [SuggestionPlatform],
        description: 'Only from these. Wire: platforms[]',
      }),
      triggerCitiesOnly: t.arg.boolean({
        description: 'Only trigger cities among cities. Wire: triggerCitiesOnly',
      }),
      ...forward(t.arg),
    },
    ask: (_query, { query, kind, platforms, triggerCitiesOnly, ...paging }) => ({
      view,
      args: { query, kind, platforms, triggerCitiesOnly },
      paging,
    }),
    node: (row) => row,
  }),
)
