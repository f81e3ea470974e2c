import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/upstream/endpoint.ts'
import { search } from '../../src/upstream/endpoints/search.ts'
import { suggestions } from '../../src/upstream/endpoints/search-suggestion.ts'
import type { Args } from '../../src/upstream/params.ts'
import { request } from '../../src/upstream/request.ts'

const pathOf = (endpoint: Endpoint, args: Args) => request(endpoint, args).wire.path
const KINDS = 'all artists tracks playlists curators albums stations cities songwriters'.split(' ')

describe('search on the wire', () => {
  it('asks for all kinds unless one is named', () => {
    expect(request(search, { query: 'paper', offset: 0, limit: 100 }).wire).toEqual({
      method: 'GET',
      path: '/api/search?limit=100&offset=0&q=paper&type=all',
      credits: 1,
      endpoint: 'search',
      headers: {},
    })
    for (const kind of KINDS)
      expect(pathOf(search, { query: 'x', kind })).toBe(`/api/search?q=x&type=${kind}`)
    expect(() => pathOf(search, { query: 'x', kind: 'labels' })).toThrow(/^kind must be one of/)
  })

  it.each([
    ['Óskar & Þúfa + 50% #1/2'],
    ['https://open.plata.example.invalid/artist/7Qx?si=a&b=c'],
    ['1975'],
    ['  a  '],
    ['🎵'],
  ])('encodes %j once, as one value', (query) => {
    const { searchParams } = new URL(pathOf(search, { query }), 'http://service')
    expect(searchParams.getAll('q')).toEqual([query])
    expect([...searchParams.keys()].sort()).toEqual(['q', 'type'])
  })

  it('takes 1 to 100 characters', () => {
    expect(pathOf(search, { query: '🎵'.repeat(100) })).toContain('q=%F0')
    for (const query of ['', 'x'.repeat(101), '\ud800', undefined])
      expect(() => pathOf(search, { query })).toThrow(/^query must be a text of 1 to 100/)
  })

  it('sends triggerCitiesOnly where it is said, false too', () => {
    expect(pathOf(search, { query: 'x', triggerCitiesOnly: false })).toBe(
      '/api/search?q=x&triggerCitiesOnly=false&type=all',
    )
    expect(pathOf(suggestions, { query: 'x', triggerCitiesOnly: true })).toBe(
      '/api/search?beta=true&q=x&triggerCitiesOnly=true&type=all',
    )
  })

  it('names platforms with the beta engine only', () => {
    const platforms = 'platK platE platJ platC platB platI platH platA cm acr'.split(' ')
    expect(pathOf(suggestions, { query: 'x', platforms, offset: 100, limit: 100 })).toBe(
      `/api/search?beta=true&limit=100&offset=100&${platforms
        .toSorted()
        .map((platform) => `platforms[]=${platform}`)
        .join('&')}&q=x&type=all`,
    )
    expect(() => pathOf(suggestions, { query: 'x', platforms: ['platD'] })).toThrow(
      /^platforms must be one of/,
    )
    expect(() => pathOf(search, { query: 'x', platforms: ['cm'] })).toThrow(
      'platforms is not taken by search',
    )
  })

  it('never asks the beta engine for buckets', () => {
    expect(() => pathOf(suggestions, { query: 'x', beta: false })).toThrow(/^beta must be true/)
    expect(request(search, { query: 'x' }).key).not.toBe(request(suggestions, { query: 'x' }).key)
  })
})
