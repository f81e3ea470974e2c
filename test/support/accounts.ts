import { createBook } from '../../src/credits/book.ts'
import { createOwnBooks } from '../../src/credits/books.ts'
import { figuresOf } from '../../src/credits/figures.ts'
import { createDrift } from '../../src/upstream/drift.ts'

/** What a client over the service writes down, of a process that shares nothing. */
export const createAccounts = (now: () => number) => {
  const book = createBook(now)
  const drift = createDrift()
  const own = () => figuresOf(book, drift.counts)
  return { book, drift, books: createOwnBooks({ name: 'this process', own, now }) }
}
