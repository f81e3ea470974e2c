import { createRedisBoard } from '../board/redis.ts'
import { key } from '../setting.ts'
import { createRecordBook } from '../upstream/token/record.ts'
import { onRedis } from './redis.ts'

/** What `refrain token` does. */
export const USAGE = `refrain token seal

seal  seals the token record that lies in Redis with STATE_KEY, where it is of before that was set; a process with STATE_KEY
      believes no other, so make sure that nobody else could write there`

/** Seals, and tells so; a wrong setting is thrown. */
export const tokenCommand = async (
  [command, ...args]: readonly string[],
  redis = '',
  stateKey = '',
): Promise<string> => {
  if (command !== 'seal' || args.length > 0) throw new Error(USAGE)
  const sealing = key.read(stateKey)
  if (sealing === undefined) throw new Error(`STATE_KEY: expected ${key.expected}`)
  return onRedis(redis, async (link) => {
    const board = createRedisBoard(link)
    const { record, gen } = await createRecordBook(board).find()
    if (gen === undefined) return 'No token record lies in Redis'
    if (record === undefined)
      throw new Error('The token record in Redis is sealed already, or cannot be read')
    if (!(await createRecordBook(board, sealing).keep(record, gen)))
      throw new Error('A replica has written a newer token record meanwhile: try again')
    return `The token record in Redis is sealed, generation ${gen}`
  })
}
