import { code, page, table } from './markdown.mjs'

const UNITS = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
]
const span = (ms) => {
  if (ms === Number.POSITIVE_INFINITY) return 'for good'
  const [unit, size] = UNITS.find(([, size]) => ms % size === 0 && (size < 86_400_000 || ms > size))
  return `${ms / size} ${unit}`
}

const ASKED = [
  ['', {}],
  ['the latest, to the next edition', { latest: true }, { date: '2025-12-31' }],
  ['a settled day', { date: '2020-01-03' }],
  ['partial', { allowPartial: true }],
]
const freshness = ({ freshFor }) => {
  if (typeof freshFor === 'number') return span(freshFor)
  const now = Date.UTC(2026, 0, 1)
  const usual = freshFor({}, now)
  return ASKED.map(([what, args, shown]) => [what, freshFor(args, now, shown)])
    .filter(([what, ms]) => what === '' || ms !== usual)
    .map(([what, ms]) => `${what === '' ? '' : `${what}: `}${span(ms)}`)
    .join('; ')
}

const isLimited = ({ kind }) => kind.least !== undefined || kind.most !== undefined
const number = (n) => n.toLocaleString('en-US').replaceAll(',', ' ')
const bound = ({ wire, kind: { least, most } }) =>
  Number.isFinite(most)
    ? `${code(wire)} ${least} to ${number(most)}`
    : `${code(wire)} from ${least}`

/** The numbers that bound what may be asked; each parameter with its own is on the endpoint's page. */
const bounds = ({ params, rules }) =>
  [
    ...Object.values(params)
      .filter(
        (param) => isLimited(param) && param.kind.least > Number.MIN_SAFE_INTEGER && !param.many,
      )
      .filter(({ wire, place }) => place === 'path' || ['limit', 'offset'].includes(wire))
      .map(bound),
    ...Object.values(params)
      .filter(({ many, most }) => many && most !== undefined)
      .map(({ wire, most }) => `${code(wire)} 1 to ${most}`),
    ...rules.filter(({ most }) => most !== undefined).map(({ doc }) => doc),
  ].join(', ')

const fieldsOf = (uses, { name }) => [...(uses.get(name) ?? [])].map(code).join(', ')

/** The table of the README. */
export const endpointTable = (endpoints, uses) =>
  table(
    ['Route', 'GraphQL field', 'Bounds', 'Credits', 'Fresh for'],
    endpoints.map((endpoint) => [
      code(endpoint.route),
      fieldsOf(uses, endpoint),
      bounds(endpoint),
      endpoint.credits,
      freshness(endpoint),
    ]),
  )

const ENDS = {
  total: 'ends by its total',
  short: 'ends by a page shorter than asked',
  empty: 'ends by an empty page',
  whole: 'is not paged',
}

const places = { path: 'path', query: 'query', header: 'header', body: 'body' }
const parameterTable = (params) =>
  table(
    ['Argument', 'On the wire', 'What it may be', 'Left out'],
    Object.entries(params)
      .filter(([, { wire }]) => wire !== '')
      .map(([name, { wire, place, kind, many, most, required, initial, quiet }]) => [
        code(name),
        `${places[place]} ${code(`${wire}${many && place === 'query' ? '[]' : ''}`)}`,
        `${many ? 'a list, each ' : ''}${kind.doc}${most === undefined ? '' : `, at most ${most}`}`,
        required
          ? 'refused'
          : initial === undefined
            ? 'not sent'
            : `${code(initial)}${quiet ? ', not sent' : ''}`,
      ]),
  )

const RANGE = /^(min|max)_/
/** Fifty parameters that differ in the name of a statistic are one line. */
const shortened = (params) => {
  const ranges = Object.entries(params).filter(([name]) => RANGE.test(name))
  if (ranges.length < 10) return [params, '']
  const stats = [...new Set(ranges.map(([name]) => name.replace(RANGE, '')))]
  return [
    Object.fromEntries(Object.entries(params).filter(([name]) => !RANGE.test(name))),
    `Also ${code('min_<stat>')} and ${code('max_<stat>')}, inclusive, for each of: ${stats.map(code).join(', ')}.`,
  ]
}

const endpointSection = (endpoint, uses) => {
  const [params, more] = shortened(endpoint.params)
  const paging =
    endpoint.end === undefined
      ? ''
      : ` The listing ${ENDS[endpoint.end]}${endpoint.windows.length > 0 ? `; it is asked for in windows of ${endpoint.windows.map(number).join(', ')} rows` : ''}.`
  const isOpen = Object.values(endpoint.params).some(({ wire }) => wire === '')
  return [
    `## ${endpoint.name}`,
    `${code(endpoint.route)}: ${endpoint.doc} ${endpoint.credits === 1 ? '1 credit' : '2 credits'}, fresh for ${freshness(endpoint)}. Asked by ${fieldsOf(uses, endpoint)}.${paging}`,
    Object.keys(params).length === 0 || Object.values(params).every(({ wire }) => wire === '')
      ? ''
      : parameterTable(params),
    more,
    isOpen ? `The parameters are not documented: ${code('params')} takes any flat object.` : '',
    endpoint.rules
      .filter(({ doc }) => !RANGE.test(doc))
      .map(({ doc }) => `- ${doc}`)
      .join('\n'),
  ]
}

/** Everything that is said of the endpoints. */
export const endpointPage = (endpoints, uses) =>
  page(
    '# Endpoints',
    'Each operation of the service, as the gateway knows it. Arguments are checked before a credit is spent.',
    endpointTable(endpoints, uses),
    ...endpoints.flatMap((endpoint) => endpointSection(endpoint, uses)),
  )
