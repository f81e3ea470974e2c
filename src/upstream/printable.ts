import { isFlat } from '../depth.ts'
import { isObject } from './envelopes.ts'

/**
 * Whether JSON can be given out as it came: not too deep, and without a member `then`, which the executor takes for a
 * promise's (@graphql-tools/executor looks no further than the name).
 */
export const isPrintable = (value: unknown): boolean =>
  isFlat(value) && !(isObject(value) && Object.hasOwn(value, 'then'))
