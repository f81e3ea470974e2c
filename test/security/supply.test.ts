import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string
        readonly integrity?: string
        readonly link?: boolean
        readonly hasInstallScript?: boolean
      }
    >
  >
}

/** The gate's own check, of a lock that holds one version of undici; `npm` answers the audit of the canary, then that of the lock. */
const audit = (version: string, npm?: readonly [canary: unknown, own: unknown]) => {
  const folder = mkdtempSync(join(tmpdir(), 'refrain-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), text, { mode: 0o755 })
  write('package-lock.json', JSON.stringify({ packages: { 'node_modules/undici': { version } } }))
  const [canary, own] = (npm ?? []).map((answer) => JSON.stringify(answer))
  write(
    'npm',
    `#!/bin/sh\nif grep -q canary package-lock.json; then echo '${canary}'; else echo '${own}'; fi\nexit 1\n`,
  )
  const args = [resolve('scripts/audit.mjs'), ...(npm ? ['--registry'] : [])]
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env })
  return { status, told: `${stdout}${stderr}` }
}

const CLEAN = { vulnerabilities: {} }
const found = (severity: string) => ({ vulnerabilities: { undici: { name: 'undici', severity } } })

describe('what it is made of', () => {
  test('a tarball has what runs and its pages, built anew, and neither sources nor tests', () => {
    const { scripts } = JSON.parse(read('package.json'))
    expect(scripts.prepack).toBe('npm run build')
    const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      encoding: 'utf8',
    })
    const [{ files }] = JSON.parse(told)
    const places = new Set(files.map(({ path }: { path: string }) => path.split('/')[0]))
    places.delete('dist')
    expect([...places].sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'docs',
      'package.json',
      'schema.graphql',
      'schema.subgraph.graphql',
    ])
  }, 60_000)

  const lock: Lock = JSON.parse(read('package-lock.json'))

  test('66: no version with a known hole is locked, and the check of the gate sees one', () => {
    const told = execFileSync(process.execPath, ['scripts/audit.mjs'], { encoding: 'utf8' })
    expect(told).toBe('the list: no known hole\n')
    for (const version of ['7.16.0', '7.28.0', '6.21.1'])
      expect(audit(version)).toMatchObject({
        status: 1,
        told: expect.stringContaining(`undici ${version}: GHSA-phc3-fgpg-7m6h`),
      })
    for (const version of ['7.28.1', '7.30.2', '8.0.0']) expect(audit(version).status).toBe(0)
    expect(read('.ci/run')).toMatch(/^step '[^']+' node scripts\/audit.mjs$/m)
  })

  test.each([
    ['finds something in the canary alone', [found('high'), CLEAN], 0, 'no known hole'],
    ['finds something in ours', [found('high'), found('critical')], 1, 'undici: critical'],
    ['finds what is of no weight', [found('high'), found('low')], 0, 'no known hole'],
    ['finds the canary clean', [CLEAN, CLEAN], 1, 'it sees no hole in undici 7.16.0'],
    [
      'gives no report',
      [{ message: '405' }, { message: '405' }],
      1,
      'it sees no hole in undici 7.16.0: no report: 405',
    ],
    ['gives one of the canary alone', [found('high'), { message: '502' }], 1, 'no report: 502'],
  ] as const)('66: an audit of the registry that %s', (_, npm, status, told) => {
    const audited = audit('7.30.2', npm)
    expect(audited).toEqual({ status, told: expect.stringContaining(`the registry: ${told}`) })
  })

  test('66: the registry is asked with every change, and every night', () => {
    for (const name of ['ci', 'nightly'])
      expect(read(`.github/workflows/${name}.yml`)).toContain('node scripts/audit.mjs --registry')
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

  test.each(['.', 'examples/react', 'test/federation'])(
    '66: npm is told to run no script of a package, and says nothing of any: %s',
    (folder) => {
      const { packages }: Lock = JSON.parse(read(join(folder, 'package-lock.json')))
      const scripted = Object.entries(packages)
        .filter(([, { hasInstallScript }]) => hasInstallScript === true)
        .map(([path]) => path.replace(/^.*node_modules\//, ''))
      const { allowScripts = {} } = JSON.parse(read(join(folder, 'package.json')))
      expect(allowScripts).toEqual(Object.fromEntries(scripted.map((name) => [name, false])))
    },
  )

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
