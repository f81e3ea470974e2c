import { type GraphQLError, locatedError } from 'graphql'
import { keysOf, type Path } from '../schema/path.ts'
import type { Field } from './field.ts'
import type { Shape } from './shape.ts'

/** What is filled as values come: an object, a list, or the whole of an answer. */
export abstract class Unfinished {
  /** How many of the places directly beneath wait for their values. */
  pending = 0
  /** What failed at once and cannot be null, while others beneath are still on their way. */
  failure: unknown = undefined
  /** Whether null stands here because of a failure: those beneath tell nothing any more. */
  isNull = false
  /** Whether it failed already, whatever is still on its way beneath. */
  isSpoilt = false

  /** A place beneath that was waited for has its value: one that spoils all is waited for ever. */
  filled(): void {
    this.pending -= 1
    if (this.pending > 0) return
    if (this.failure === undefined) this.finish()
    else this.spoil(this.failure)
  }

  /** One place beneath failed and cannot be null: so did all of it. */
  spoil(failure: unknown): void {
    if (this.isSpoilt) return
    this.isSpoilt = true
    this.miss(this.failure ?? failure)
  }

  /** Tells of an error at a place, where nothing above it is null already. */
  abstract note(error: GraphQLError, at: Unfinished): void
  /** It failed, after it was waited for. */
  abstract miss(failure: unknown): void
  /** All that was waited for is here. */
  protected abstract finish(): void
}

/** An object or a list of an answer. */
export type Slots = Record<string, unknown> | unknown[]

/** Where a value is to stand in an answer. It is its own path, as resolvers know one. */
export class Place extends Unfinished implements Path {
  readonly parent: Unfinished
  readonly key: string | number
  /** What has the place. */
  readonly within: Slots
  readonly field: Field
  /** Of what is to stand there. */
  readonly shape: Shape

  constructor(parent: Unfinished, key: string | number, within: Slots, field: Field, shape: Shape) {
    super()
    this.parent = parent
    this.key = key
    this.within = within
    this.field = field
    this.shape = shape
  }

  get prev(): Place | undefined {
    return this.parent instanceof Place ? this.parent : undefined
  }

  get typename(): string | undefined {
    return typeof this.key === 'number' ? undefined : this.field.parent.name
  }

  put(value: unknown): void {
    const { within, key } = this
    if (Array.isArray(within)) within[Number(key)] = value
    else within[key] = value
  }

  /** What stands in the place of what failed; throws where that cannot be null. */
  fail(failure: unknown): null {
    const error = locatedError(failure, this.field.nodes, keysOf(this))
    if (this.shape.isNonNull) throw error
    this.note(error, this)
    return null
  }

  note(error: GraphQLError, at: Unfinished): void {
    if (!this.isNull) this.parent.note(error, at)
  }

  miss(failure: unknown): void {
    try {
      this.put(this.fail(failure))
    } catch (error) {
      this.parent.spoil(error)
      return
    }
    this.finish()
  }

  finish(): void {
    this.parent.filled()
  }
}
