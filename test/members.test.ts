import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../src/schema/index.ts'
import { bare, filled, membersOf, pathsOf, SHAPES, typeOf, walk } from './support/member.ts'
import { openRun } from './support/run.ts'

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
  const members = membersOf(shape)

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
