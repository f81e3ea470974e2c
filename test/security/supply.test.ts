import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { readonly version?: string; readonly integrity?: string; readonly link?: boolean }
    >
  >
}

/** Versions with a known hole: at or below these. */
const HOLES: readonly (readonly [string, string, string])[] = [
  ['undici', '7.28.0', 'GHSA-phc3-fgpg-7m6h, GHSA-g9mf-h72j-4rw9, GHSA-8xcm-r25x-g524'],
]

const parts = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number)
const isAtMost = (version: string, bound: string): boolean => {
  const [one, other] = [parts(version), parts(bound)]
  const at = one.findIndex((part, index) => part !== other[index])
  return at < 0 || (one[at] ?? 0) < (other[at] ?? 0)
}

const holesIn = ({ packages }: Lock) =>
  Object.entries(packages).flatMap(([path, { version = '' }]) =>
    HOLES.filter(
      ([name, bound]) => path.endsWith(`node_modules/${name}`) && isAtMost(version, bound),
    ).map(([name, , why]) => `${name} ${version}: ${why}`),
  )

describe('what it is made of', () => {
  const lock: Lock = JSON.parse(read('package-lock.json'))

  test('66: no version with a known hole is locked, and the check would see one', () => {
    expect(holesIn(lock)).toEqual([])
    const canary = (version: string): Lock => ({ packages: { 'node_modules/undici': { version } } })
    for (const version of ['7.16.0', '7.28.0', '6.21.1'])
      expect(holesIn(canary(version))).toHaveLength(1)
    for (const version of ['7.28.1', '7.30.2', '8.0.0'])
      expect(holesIn(canary(version))).toEqual([])
  })

  test('66: every package is locked by its digest, every version of ours is exact', () => {
    const loose = Object.entries(lock.packages).filter(
      ([path, { integrity, link }]) => path !== '' && link !== true && integrity === undefined,
    )
    expect(loose.map(([path]) => path)).toEqual([])
    const { dependencies, devDependencies } = JSON.parse(read('package.json'))
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('66, 67: the image runs no script of a package, as a user of no rights, and writes to one folder', () => {
    const file = read('Dockerfile')
    for (const [line] of file.matchAll(/npm (ci|prune|install)[^\n]*/g))
      expect(line).toContain('--ignore-scripts')
    const [, run = ''] = /\nFROM[^\n]*\n((?:(?!\nFROM)[\s\S])*)$/.exec(file) ?? []
    expect(run).toMatch(/^USER node$/m)
    expect(run.match(/^VOLUME (.*)$/gm)).toEqual(['VOLUME /var/lib/refrain'])
    expect(run).not.toMatch(/chown -R|chmod 777|sudo|setcap|USER root/)
    // Nothing that stands before the change of user is run after it.
    expect(run.indexOf('\nUSER node')).toBeLessThan(run.indexOf('\nCMD'))
  })

  test('66: the gate before a merge runs no script of a package, and tells what it is made of', () => {
    const gate = read('.ci/run')
    const installs = [...gate.matchAll(/npm (ci|install)\b[^\n]*/g)].map(([line]) => line)
    expect(installs.length).toBeGreaterThan(0)
    for (const line of installs) expect(line).toContain('--ignore-scripts')
    expect(gate).toMatch(/^step 'bill of materials'/m)
    const flags = ['--sbom-format=cyclonedx', '--package-lock-only']
    const bill = JSON.parse(execFileSync('npm', ['sbom', ...flags], { encoding: 'utf8' }))
    const told = bill.components.map((part: { 'bom-ref': string }) => part['bom-ref'])
    const { dependencies } = JSON.parse(read('package.json'))
    for (const [name, version] of Object.entries(dependencies))
      expect(told).toContain(`${name}@${version}`)
  })

  test('67: wherever it is run for somebody, its root is read only and its rights are dropped', () => {
    const compose = read('deploy/compose.yml')
    const services = compose.match(/^ {4}image: /gm) ?? []
    expect(services.length).toBeGreaterThan(0)
    for (const line of [/read_only: true/g, /cap_drop: \[ALL\]/g, /no-new-privileges:true/g])
      expect(compose.match(line)).toHaveLength(services.length)
    const pod = read('deploy/kubernetes/refrain.yml')
    for (const line of [
      'runAsNonRoot: true',
      'allowPrivilegeEscalation: false',
      'readOnlyRootFilesystem: true',
      'capabilities: { drop: [ALL] }',
    ])
      expect(pod).toContain(line)
  })

  test('50: no change that was ever committed holds a token', () => {
    const shape =
      'eyJ[A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY-----|npm_[A-Za-z0-9]{36}|gh[pousr]_[A-Za-z0-9]{36}'
    const changes = ['log', `-G${shape}`, '--format=%h', '--name-only']
    expect(execFileSync('git', changes, { encoding: 'utf8' })).toBe('')
  })

  test('50: no file that is committed, and nothing that is built into the page, holds a token', () => {
    const shape =
      /eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY|npm_[A-Za-z0-9]{36}|gh[pousr]_[A-Za-z0-9]{36}/
    const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
    const texts = files.filter((name) =>
      /\.(ts|tsx|mjs|json|md|yml|yaml|graphql|css|sh|example)$|Dockerfile|^\.ci/.test(name),
    )
    expect(texts.length).toBeGreaterThan(300)
    const found = texts.filter((name) => name !== 'package-lock.json' && shape.test(read(name)))
    expect(found).toEqual([])
    for (const secret of files.filter((name) =>
      /(^|\/)(\.env|\.refrain|.*\.(pem|key|p12))$/.test(name),
    ))
      expect(secret).toBe('')
    // The gate before a merge looks for the same, in every file.
    expect(read('.ci/run')).toMatch(/no_secret_is_committed/)
  })
})
