import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { GatewayError } from '../errors.ts'
import { wantedOf } from '../schema/connection.ts'
import { type Selected, selectedBy } from '../schema/selected.ts'
import type { Within } from '../schema/selection.ts'
import type { Spends } from '../schema/spends.ts'
import type { Columns } from '../upstream/decode.ts'
import type { Endpoint } from '../upstream/endpoint.ts'
import type { Args } from '../upstream/params.ts'
import type { Request } from '../upstream/request.ts'
import { type Draft, Drafting } from './draft.ts'
import { type Extent, inRows, ONE, times } from './extent.ts'
import { windowsOf } from './windows.ts'

const NOTHING: Columns = new Map()
/** Stands for an object that only an answer shows; every id may be written as a text, and those of venues are. */
const SOMEONE = { cmId: '2' } as never

/** What is asked of whatever a field looks up, where that is the same each time. */
const known = new WeakMap<Selected, Draft>()

/** Where the walk stands: objects of one type, and what is known of them. */
interface At {
  readonly type: GraphQLObjectType
  readonly nodes: readonly FieldNode[]
  readonly path: string
  /** How many such objects there may be. */
  readonly extent: Extent
  /** What their resolvers get, where no answer is needed to know it. */
  readonly source: unknown
  readonly isCertain: boolean
  /** Whether their fields are asked only once a record says that they exist. */
  readonly ifThere: boolean
  /** The request for their record, where their number is certain. */
  readonly record?: Request | undefined
  /** The one in its place, where the service refuses it. */
  readonly instead?: Request | undefined
  /** Columns that need no record. */
  readonly told: Columns
  /** Columns that most objects need none for. */
  readonly mostly: Columns
  /** Within a connection: its page size. */
  readonly size?: number | undefined
}

/** Such a field with its arguments, of the objects at hand. */
interface Step {
  readonly selected: Selected
  readonly args: Args
  readonly path: string
}

const isList = (type: GraphQLOutputType): boolean =>
  isListType(isNonNullType(type) ? type.ofType : type)

/** Adds up what the fields of an operation say they may send. A class, since each cold operation has one. */
class Walk {
  readonly draft = new Drafting()
  readonly #schema: GraphQLSchema
  readonly #within: Within

  constructor(schema: GraphQLSchema, within: Within) {
    this.#schema = schema
    this.#within = within
  }

  #objectTypes(type: GraphQLOutputType): readonly GraphQLObjectType[] {
    const named = getNamedType(type)
    if (isObjectType(named)) return [named]
    return isAbstractType(named) ? this.#schema.getPossibleTypes(named) : []
  }

  #wantsRecord(type: GraphQLObjectType, nodes: readonly FieldNode[]): boolean {
    const fields = selectedBy({ type, nodes }, this.#within)
    return fields.some(({ spends }) => spends.column !== undefined)
  }

  /** What is asked of whatever an outermost field looks up, by one of these; undefined where they are not asked alike. */
  #alike(at: At, { selected, path }: Step, record: Request): Draft | undefined {
    if (!selected.isAlike || at.path !== '') return undefined
    const before = known.get(selected)
    if (before !== undefined) return before
    const type = getNamedType(selected.field.type)
    if (!isObjectType(type)) return undefined
    const own = new Walk(this.#schema, this.#within)
    own.visit({ ...at, type, nodes: selected.nodes, path, source: SOMEONE, record })
    const found = own.draft.finish()
    known.set(selected, found)
    return found
  }

  #lookUp(at: At, step: Step): void {
    const { args, path, selected } = step
    const { spends, nodes } = selected
    this.draft.represent(spends.represents?.(args) ?? 0)
    for (const { type: name, cmId, request, instead } of spends.looksUp?.(args) ?? []) {
      this.draft.expect(1)
      const alike = request && this.#alike(at, step, request)
      if (request !== undefined && alike !== undefined) {
        this.draft.again(alike, request, instead)
        continue
      }
      const type = this.#schema.getType(name)
      if (!isObjectType(type)) continue
      this.visit({
        type,
        nodes,
        path,
        extent: at.extent,
        source: { cmId },
        isCertain: true,
        ifThere: request !== undefined && this.#wantsRecord(type, nodes),
        record: request,
        instead,
        told: NOTHING,
        mostly: NOTHING,
      })
    }
  }

  #send(at: At, { selected: { spends }, args, path }: Step): void {
    for (const request of spends.sends?.(at.source as never, args) ?? [])
      if (at.isCertain) this.draft.send({ path, ifThere: at.ifThere }, request)
      else this.draft.maySend(path, request.endpoint, at.extent)
  }

  #share(at: At, { selected: { spends }, args, path }: Step): void {
    if (spends.shares === undefined) return
    const { endpoint, most, count } = spends.shares
    const { arrivals, isBounded, ...extent } = times(at.extent, count(args))
    // Those of one answer share requests, those of another come too late for them.
    const requests = (things: number) =>
      Math.min(Math.ceil(things), arrivals - 1 + Math.ceil(things / most))
    const likely = requests(extent.likely)
    this.draft.maySend(path, endpoint, { most: requests(extent.most), likely, isBounded })
  }

  /** The size of the page that a field asks for, once its windows are in the draft. */
  #page(at: At, { selected: { spends, nodes }, args, path }: Step): number | undefined {
    const asked = spends.asks?.(at.source as never, args, {
      fieldNodes: [...nodes],
      ...this.#within,
    })
    if (asked === undefined || asked === null) return undefined
    const wanted = wantedOf(asked)
    if (at.path === '') this.draft.page(nodes[0], wanted)
    const { size, first, instead, more } = windowsOf(wanted)
    const { endpoint } = asked.view
    const { series, span } = wanted
    if (spends.joins?.takes(span) === true)
      this.draft.join({
        path,
        ifThere: at.ifThere,
        endpoint,
        request: at.isCertain ? first : undefined,
        instead,
        extent: at.extent,
        joins: spends.joins,
        series,
      })
    else if (at.isCertain) this.draft.send({ path, ifThere: at.ifThere }, first, instead)
    else this.draft.maySend(path, endpoint, at.extent)
    this.draft.maySend(path, endpoint, times(at.extent, more))
    this.draft.expect(at.extent.most * size)
    return size
  }

  #extentOf(at: At, field: GraphQLField<unknown, unknown>): Extent {
    if (!isList(field.type)) return at.extent
    return at.size === undefined ? inRows(at.extent) : times(at.extent, at.size)
  }

  /** What is told of the things that a field gives. */
  #told(
    { told, mostly, size }: At,
    { column, tells, mostlyTells }: Spends,
  ): Pick<At, 'told' | 'mostly'> {
    const row = column === undefined ? undefined : mostly.get(column)
    if (row !== undefined) {
      // They come of the row or, where that does not tell them, of the record.
      return { told: new Map([...row].filter(([name]) => tells?.has(name))), mostly: row }
    }
    const own = column === undefined ? undefined : told.get(column)
    const isOwn = (own ?? tells ?? mostlyTells) !== undefined
    if (!isOwn && size !== undefined) return { told, mostly }
    return { told: own ?? tells ?? NOTHING, mostly: mostlyTells ?? NOTHING }
  }

  #below(at: At, step: Step, size: number | undefined): void {
    const { args, path } = step
    const { field, spends, nodes } = step.selected
    const gives = spends.gives?.(at.source as never, args, {
      fieldNodes: [...nodes],
      ...this.#within,
    })
    const extent = this.#extentOf(at, field)
    const { column } = spends
    const comes = size !== undefined || (column !== undefined && !at.told.get(column))
    for (const type of this.#objectTypes(field.type))
      this.visit({
        type,
        nodes,
        path,
        // What a page or a record holds comes with it, and no two of those at once.
        extent: comes ? { ...extent, arrivals: at.extent.most } : extent,
        source: gives ?? SOMEONE,
        isCertain: at.isCertain && gives !== undefined,
        ifThere: at.ifThere,
        ...this.#told(at, spends),
        size: size ?? (field.name === 'edges' ? 1 : undefined),
      })
  }

  /** The column of the record that a field gives; undefined for one that gives none. */
  #take(at: At, selected: Selected): string | undefined {
    const { key, spends } = selected
    if (spends.tellsCosts === true) this.draft.tellsCosts = true
    if (!selected.isCell) {
      const path = at.path === '' ? key : `${at.path}.${key}`
      const args: Args = selected.argsOf(this.#within.variableValues)
      const step = { selected, path, args }
      if (spends.looksUp !== undefined) {
        this.#lookUp(at, step)
        return undefined
      }
      this.#send(at, step)
      this.#share(at, step)
      this.#below(at, step, this.#page(at, step))
    }
    return spends.column
  }

  visit(at: At): void {
    const missing: string[] = []
    let record: Endpoint | undefined
    let spare: Endpoint | undefined
    for (const field of selectedBy(at, this.#within)) {
      try {
        const column = this.#take(at, field)
        if (column === undefined) continue
        if (at.told.has(column)) continue
        if (at.mostly.has(column)) spare = field.spends.of
        else {
          missing.push(column)
          record = field.spends.of
        }
      } catch (failure) {
        // What its own resolver, or the schema, will refuse sends nothing.
        if (!(failure instanceof GatewayError || failure instanceof GraphQLError)) throw failure
        // Where that leaves nothing of the whole answer, nothing is sent for it.
        const takesAll = at.path === '' && isNonNullType(field.field.type)
        if (takesAll && failure instanceof GraphQLError) throw failure
      }
    }
    if (record === undefined) {
      if (spare !== undefined) this.draft.maySend(at.path, spare, at.extent, true)
      return
    }
    if (at.record !== undefined) {
      this.draft.send({ path: at.path, ifThere: false }, at.record, undefined, missing)
      if (at.instead !== undefined) this.draft.spare(at.path, at.instead)
    } else this.draft.maySend(at.path, record, at.extent)
  }
}

/** Walks an operation once. */
export const walk = (
  schema: GraphQLSchema,
  root: GraphQLObjectType,
  operation: FieldNode,
  within: Within,
): Draft => {
  const own = new Walk(schema, within)
  own.visit({
    type: root,
    nodes: [operation],
    path: '',
    extent: ONE,
    source: {},
    isCertain: true,
    ifThere: false,
    told: NOTHING,
    mostly: NOTHING,
  })
  return own.draft.finish()
}
