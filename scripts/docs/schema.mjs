import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql'
import { code, page, table } from './markdown.mjs'

/** Which page a type stands on: the first that matches, else that of its noun, the first word of its name. */
const PAGES = [
  ['query', /^Query$/],
  ['scalar', /^$/],
  ['paging', /^(Node|PageInfo|OrderDirection|JSONConnection|JSONEdge)$/],
  ['credit', /^Credit/],
  ['chart', /^(Plat[A-Z](?!ublic)|Chart|TrackChartEntry|RankHistory)/],
  ['estimate', /^StreamEstimate/],
  ['search', /^(Search|Suggestion|Songwriter|Curator|City|PlaylistSearch)/],
  ['festival', /^(Festival|EventSize)/],
  ['venue', /^Venue(?!Event)/],
  ['event', /^(Event|LiveEvent|VenueEvent|Lineup|PricePoint)/],
  ['radio', /^Radio/],
  ['brand', /^Brand/],
  [
    'statistic',
    /^(TrackStat(?!istics)|TrackFilter|TrackOrder|TrackVersion|StatPeriod|DateRange|ArtistStat(?!istics))/,
  ],
  ['artist', /^(Artist|Career|CountryRank|Genre|Descriptor|ListenerPlace|Counter)/],
  ['track', /^Track/],
  ['album', /^Album/],
  ['playlist', /^Playlist/],
]

const pageOf = (type) => {
  if (isScalarType(type)) return 'scalar'
  const found = PAGES.find(([, names]) => names.test(type.name))
  return found?.[0] ?? /^[A-Z][a-z]+/.exec(type.name)[0].toLowerCase()
}

const titleOf = (name) => `${name[0].toUpperCase()}${name.slice(1)}`
const linkTo = (type, from) => {
  const named = getNamedType(type)
  const at = pageOf(named)
  return `[${code(String(type))}](${at === from ? '' : `${at}.md`}#${named.name.toLowerCase()})`
}
const shownDefault = ({ type, defaultValue }) => {
  if (defaultValue === undefined) return ''
  const named = getNamedType(type)
  const value = isEnumType(named) ? named.serialize(defaultValue) : JSON.stringify(defaultValue)
  return ` ${code(value)} when left out.`
}
const said = ({ description, deprecationReason }) =>
  [description, deprecationReason && `**Deprecated:** ${deprecationReason}`]
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
const stop = (text) => (/[.!?]$/.test(text) || text === '' ? text : `${text}.`)

const argumentLines = ({ name, args }, from) =>
  args.length === 0
    ? ''
    : [
        `Arguments of ${code(name)}:`,
        '',
        ...args.map(
          (arg) =>
            `- ${code(arg.name)}: ${linkTo(arg.type, from)}. ${stop(said(arg))}${shownDefault(arg)}`,
        ),
      ].join('\n')

const fieldTable = (fields, from) =>
  table(
    ['Field', 'Type', 'Meaning'],
    fields.map((field) => [
      code(field.name),
      linkTo(field.type, from),
      field.defaultValue === undefined ? said(field) : `${stop(said(field))}${shownDefault(field)}`,
    ]),
  )

const typeSection = (type, from) => {
  const head = [`## ${type.name}`, stop(said(type))]
  if (isEnumType(type))
    return [
      ...head,
      table(
        ['Value', 'Meaning'],
        type.getValues().map((value) => [code(value.name), said(value)]),
      ),
    ]
  if (isInputObjectType(type)) return [...head, fieldTable(Object.values(type.getFields()), from)]
  if (isUnionType(type))
    return [
      ...head,
      `One of ${type
        .getTypes()
        .map((one) => linkTo(one, from))
        .join(', ')}.`,
    ]
  if (!isObjectType(type) && !isInterfaceType(type)) return head
  const fields = Object.values(type.getFields())
  const above = type.getInterfaces()
  return [
    ...head,
    above.length === 0 ? '' : `Implements ${above.map((one) => linkTo(one, from)).join(', ')}.`,
    fieldTable(fields, from),
    ...fields.map((field) => argumentLines(field, from)),
  ]
}

/** The reference of the schema, a page for each noun. */
export const schemaPages = (schema) => {
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = new Set([...PAGES.map(([name]) => name), ...types.map(pageOf)])
  const pages = [...names].map((name) => [name, types.filter((type) => pageOf(type) === name)])
  return [
    [
      'docs/schema/index.md',
      page(
        '# Schema',
        'Every type by the page that it stands on; `schema.graphql` has the same in one file.',
        'Whatever bears no `!` may be null, and its description says what that means. *Null if unknown*: the service leaves it out or null, or sends what cannot be read (counted as drift). *With an error if not answered*: the field has to ask the service, and that failed or was refused. A list that the service leaves null is empty, and holds no null but where it is asked for by ids. A description names the unit where there is one, and after `Wire:` the source.',
        table(
          ['Page', 'Types'],
          pages.map(([name, on]) => [
            `[${titleOf(name)}](${name}.md)`,
            on.map((type) => linkTo(type, 'index')).join(', '),
          ]),
        ),
      ),
    ],
    ...pages.map(([name, on]) => [
      `docs/schema/${name}.md`,
      page(`# ${titleOf(name)}`, ...on.flatMap((type) => typeSection(type, name))),
    ]),
  ]
}
