import type { RecordBook, TokenRecord } from './record.ts'

/** Where a machine keeps what it got itself of a line that lies elsewhere, should it be lost there. */
export interface Copy {
  find(): Promise<TokenRecord | undefined>
  keep(record: TokenRecord): Promise<void>
}

/** A copy in a book of this machine; without it everything goes on, so a disk that fails is told of and no more. */
export const createCopy = (book: RecordBook, warn: (text: string) => void): Copy => {
  const fail = (failure: unknown) =>
    warn(`STATE_DIR has no copy of the newest refresh token: ${failure}`)
  return {
    async find() {
      try {
        return (await book.find()).record
      } catch (failure) {
        fail(failure)
        return undefined
      }
    },
    async keep(record) {
      try {
        for (;;) {
          const found = await book.find()
          const isPast =
            found.record?.seedHash === record.seedHash && found.record.gen >= record.gen
          if (isPast || (await book.keep(record, found.gen))) return
        }
      } catch (failure) {
        fail(failure)
      }
    },
  }
}
