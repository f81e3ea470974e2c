import { describe, it } from 'vitest'
import { endpoints } from '../../src/upstream/endpoints/index.ts'
import { holdsForAnyAnswer } from './answer.ts'
import type { EndpointName } from './asking.ts'
import { effortOf } from './effort.ts'

const names = Object.keys(endpoints) as EndpointName[]
const { effort, title } = effortOf(26_000)

describe(`whatever the service answers (${title})`, () => {
  it.each(names)('%s fails in words of the contract, if it fails', (name) =>
    holdsForAnyAnswer(name, effort),
  )
})
