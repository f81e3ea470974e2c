import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import {
  buildSchema,
  execute,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isNonNullType,
  parse,
} from 'graphql'
import { expect, it } from 'vitest'
import type { Context } from '../../src/context.ts'
import { run } from '../../src/execution/run.ts'
import { keysOf } from '../../src/schema/path.ts'
import { queryOf } from '../../src/schema/query.ts'
import { spending } from '../../src/schema/spends.ts'
import { EVERY_COMMIT, effortOf } from '../property/effort.ts'

const LEAVES = { leaf: 'Int', sureLeaf: 'Int!', leaves: '[Int!]' }
const THINGS = {
  thing: 'Thing',
  sureThing: 'Thing!',
  things: '[Thing]',
  sureThings: '[Thing!]!',
}
const members = Object.entries({ ...LEAVES, ...THINGS }).map(([name, type]) => `${name}: ${type}`)
const TYPES = `type Query { ${members.join(' ')} } type Thing { ${members.join(' ')} }`

const selection = (depth: number): string => {
  const leaves = Object.keys(LEAVES).join(' ')
  if (depth === 0) return `{ ${leaves} }`
  return `{ ${leaves} ${Object.keys(THINGS).map((name) => `${name} ${selection(depth - 1)}`)} }`
}
const document = parse(selection(2))
const query = queryOf(document, undefined)
if (query === undefined) throw new Error('there is a query')

/** Whatever was promised is given in this order, one a turn of the loop. */
const createCourse = () => {
  const waiting: { readonly at: number; give(): void }[] = []
  return {
    promise(at: number, give: () => unknown) {
      const promise = new Promise((resolve, reject) => {
        const settle = () => {
          try {
            resolve(give())
          } catch (failure) {
            reject(failure)
          }
        }
        waiting.push({ at, give: settle })
      })
      // Items after one that failed at once are listened to by nobody.
      promise.catch(() => undefined)
      return promise
    },
    /** Gives all of it; tells how much was given when the answer was there. */
    async end(answer: unknown) {
      let given = 0
      let until: number | undefined
      const told = Promise.resolve(answer).then((whole) => {
        until = given
        return whole
      })
      await new Promise(setImmediate)
      while (waiting.length > 0) {
        const next = waiting.reduce((first, one) => (one.at < first.at ? one : first))
        waiting.splice(waiting.indexOf(next), 1)
        given += 1
        next.give()
        await new Promise(setImmediate)
      }
      const answered: Answered = JSON.parse(JSON.stringify(await told))
      return { answer: answered, given: until }
    },
  }
}

interface Answered {
  readonly data: unknown
  readonly errors?: readonly object[]
}

type Course = ReturnType<typeof createCourse>
type Gives = (path: string, isThing: boolean, isList: boolean, isLate?: boolean) => unknown

/** What stands at a place follows from the seed and the path alone: a value, or one of all that may fail. */
const createGiving = (seed: number, { promise }: Course) => {
  const drawsAt = (path: string) => createHash('sha1').update(`${seed} ${path}`).digest()
  const gives: Gives = (path, isThing, isList, isLate) => {
    const [late = 0, at = 0, what = 0, number = 0, items = 0] = drawsAt(path)
    // graphql-js leaves what an item promises unheard where one after it fails at once.
    const areLate = path.endsWith('sureThings') || items < 128
    const give = () => {
      if (what < 12) throw new Error(`${path} fails`)
      if (what < 24) return new Error(`${path} is an error`)
      if (what < 36) return null
      if (what < 40) return 'not what the schema says'
      if (!isList) return isThing ? {} : number
      return Array.from({ length: number % 4 }, (_, item) =>
        gives(`${path}.${item}`, isThing, false, areLate),
      )
    }
    return (isLate ?? late < 128) ? promise(at, give) : give()
  }
  /** Records by the paths of their things; a promise until they are there. */
  const records = new Map<string, unknown>()
  const recordAt = (path: string): unknown => {
    const [, at = 0, what = 0] = drawsAt(`record of ${path}`)
    const come = () => {
      if (what < 64) throw new Error(`the record of ${path} fails`)
      records.set(path, true)
    }
    if (!records.has(path)) records.set(path, promise(at, come))
    return records.get(path)
  }
  return { gives, recordAt }
}

type Giving = ReturnType<typeof createGiving>

/** A schema of such places; with records, what may be null comes with the record of its thing. */
const schemaOf = (hasRecords: boolean) => {
  const schema = buildSchema(TYPES)
  for (const type of ['Query', 'Thing'])
    for (const field of Object.values((schema.getType(type) as GraphQLObjectType).getFields())) {
      const [isThing, isList] = [/hing/.test(field.name), field.name.endsWith('s')]
      const give = ({ gives }: Giving, { path }: GraphQLResolveInfo, isLate?: boolean) =>
        gives(keysOf(path).join('.'), isThing, isList, isLate)
      field.resolve = (_source, _args, giving: Giving, info) => give(giving, info)
      if (!hasRecords || isNonNullType(field.type)) continue
      const until = (_source: unknown, { recordAt }: Giving, { path }: GraphQLResolveInfo) => {
        const record = recordAt(keysOf(path.prev).join('.'))
        return record instanceof Promise ? record : undefined
      }
      const resolve = (
        source: unknown,
        _args: unknown,
        giving: Giving,
        info: GraphQLResolveInfo,
      ) => {
        const record = until(source, giving, info)
        return record ? record.then(() => give(giving, info, false)) : give(giving, info, false)
      }
      field.resolve = spending({ until: until as never }, resolve)
    }
  return schema
}

/** One run, by whoever runs it. */
const course = async (seed: number, runs: (context: Giving) => unknown) => {
  const own = createCourse()
  return own.end(runs(createGiving(seed, own)))
}

const { effort, title } = effortOf(300, EVERY_COMMIT)
const timeout = 30_000 + effort.numRuns * 50

const sorted = ({ data, errors = [] }: Answered) => ({
  data,
  errors: errors.map((error) => JSON.stringify(error)).sort(),
})

it.each([
  ['fails as graphql-js does, and when it does', false],
  ['comes with records as graphql-js does, whatever the order of errors', true],
])(`answers what comes late and what %s (${title})`, { timeout }, (_, hasRecords) => {
  const schema = schemaOf(hasRecords)
  return fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const theirs = await course(seed, (contextValue) =>
        execute({ schema, document, contextValue }),
      )
      const own = await course(seed, (context) =>
        run({ schema, query, variables: {}, context: context as unknown as Context }),
      )
      expect(own.given).toBe(theirs.given)
      expect(JSON.stringify(own.answer.data)).toBe(JSON.stringify(theirs.answer.data))
      if (hasRecords) expect(sorted(own.answer)).toEqual(sorted(theirs.answer))
      else expect(own.answer).toEqual(theirs.answer)
    }),
    effort,
  )
})
