import type { ExecutionResult, GraphQLError } from 'graphql'
import { Unfinished } from './place.ts'

/** The whole of an answer. */
export class Whole extends Unfinished {
  data: Record<string, unknown> | null = {}
  readonly #errors: GraphQLError[] = []
  #tell: ((result: ExecutionResult) => void) | undefined = undefined

  /** The answer, at once where nothing is waited for. */
  get result(): ExecutionResult | Promise<ExecutionResult> {
    if (this.pending === 0) return this.#told()
    return new Promise((resolve) => {
      this.#tell = resolve
    })
  }

  note(error: GraphQLError, at: Unfinished): void {
    if (this.isNull) return
    at.isNull = true
    this.#errors.push(error)
  }

  /** It failed at once. */
  lose(failure: unknown): void {
    this.note(failure as GraphQLError, this)
    this.data = null
  }

  miss(failure: unknown): void {
    this.lose(failure)
    this.finish()
  }

  finish(): void {
    this.#tell?.(this.#told())
  }

  #told(): ExecutionResult {
    const { data } = this
    return this.#errors.length === 0 ? { data } : { errors: this.#errors, data }
  }
}
