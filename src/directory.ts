import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from './errors.ts'

/** Makes one folder, unless it is there; throws what stands in the way. */
const make = (path: string, mode: number): void => {
  try {
    mkdirSync(path, { mode })
  } catch (failure) {
    if (codeOf(failure) !== 'EEXIST' || !statSync(path).isDirectory()) throw failure
  }
}

/**
 * Makes a folder, and those above it where they lack. Node's own way tries for ever where the one above is there and
 * the new one is still said to lack it, as in `/proc`.
 */
export const makeDirectory = (path: string, mode = 0o777): void => {
  try {
    make(path, mode)
  } catch (failure) {
    const above = dirname(path)
    if (codeOf(failure) !== 'ENOENT' || above === path) throw failure
    makeDirectory(above, mode)
    make(path, mode)
  }
}

/** Reasons that do not pass by themselves, as a lack of rights or of room may. */
const LASTING = ['EEXIST', 'ELOOP', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR']

/** Whether a failure tells that no folder can ever be at its path. */
export const isNowhere = (failure: unknown): boolean => LASTING.includes(codeOf(failure))
