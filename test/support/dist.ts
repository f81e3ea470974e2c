import type { TestProject } from 'vitest/node'
import { build } from './process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the program lies that the tests of a project start as processes; built once for all of them. */
    readonly dist: string | undefined
  }
}

export default (project: TestProject) => {
  const { dist, remove } = build('replicas')
  project.provide('dist', dist)
  return remove
}
