import { readClients } from '../clients/client.ts'
import type { ClientsFile, Environment } from '../config.ts'
import { type Documents, readDocuments } from '../documents.ts'
import { codeOf } from '../errors.ts'
import { type Kind, quotedSetting } from '../setting.ts'
import { type Secret, secret } from '../upstream/token/secret.ts'
import { seedFault } from '../upstream/token/seed.ts'
import type { Variable } from '../variable.ts'

/** Reads variables one by one, and keeps what is wrong with any of them. */
export const createReader = (env: Environment, readFile: (path: string) => string) => {
  const faults: string[] = []
  const warnings: string[] = []
  const given = (name: Variable) => (env[name]?.trim() === '' ? undefined : env[name])

  const optional = <T>(name: Variable, kind: Kind<T>): T | undefined => {
    const text = given(name)?.trim()
    if (text === undefined) return undefined
    const value = kind.read(text)
    if (value === undefined)
      faults.push(`${name}: expected ${kind.expected}, got ${(kind.show ?? quotedSetting)(text)}`)
    return value
  }

  /** The service refuses a token with whitespace around it; whoever set it should know. */
  const trimmed = (name: string, text: string): Secret => {
    const fault = seedFault(text)
    if (fault !== undefined) faults.push(`${name}: ${fault}`)
    if (text.trim() !== text) warnings.push(`${name}: whitespace around the token is left out`)
    return secret(text.trim())
  }
  const textOf = (name: string, file: string): string | undefined => {
    try {
      return readFile(file)
    } catch (failure) {
      const code = codeOf(failure) || 'no reason given'
      faults.push(`${name}: expected a file that can be read, got ${quotedSetting(file)} (${code})`)
      return undefined
    }
  }
  const fromFile = (name: string, file: string): Secret | undefined => {
    const text = textOf(name, file)?.replace(/\r?\n$/, '')
    if (text === undefined) return undefined
    if (text.trim() !== '') return trimmed(name, text)
    faults.push(`${name}: expected a file with a token, got an empty one`)
    return undefined
  }

  return {
    faults,
    warnings,
    given,
    optional,
    read: <T>(name: Variable, kind: Kind<T>, fallback: T): T => optional(name, kind) ?? fallback,
    token(name: 'UPSTREAM_REFRESH_TOKEN'): Secret | undefined {
      const text = given(name)
      if (text !== undefined) return trimmed(name, text)
      const file = given(`${name}_FILE`)
      return file === undefined ? undefined : fromFile(`${name}_FILE`, file)
    },
    clients(name: Variable): ClientsFile | undefined {
      const file = given(name)?.trim()
      const text = file === undefined ? undefined : textOf(name, file)
      if (file === undefined || text === undefined) return undefined
      try {
        return {
          entries: readClients(text, given('JWT_ISSUER') !== undefined),
          toString: () => file,
        }
      } catch (failure) {
        const why = failure instanceof Error ? failure.message : 'no reason given'
        faults.push(`${name}: expected JSON with a list of clients, got ${why}`)
        return undefined
      }
    },
    documents(name: Variable): Documents | undefined {
      const file = given(name)?.trim()
      const text = file === undefined ? undefined : textOf(name, file)
      if (file === undefined || text === undefined) return undefined
      try {
        return { byHash: readDocuments(text), toString: () => file }
      } catch (failure) {
        const why = failure instanceof Error ? failure.message : 'no reason given'
        faults.push(`${name}: expected JSON with a document under each hash, got ${why}`)
        return undefined
      }
    },
  }
}

export type Reader = ReturnType<typeof createReader>
