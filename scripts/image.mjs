// Carries out each step of the Dockerfile in a folder, where no image can be built, and tries the result: run as the
// user that it names, with nothing else writable than its volume, it must be healthy and leave when it is told to.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The user that the base image calls node. */
const NODE = { uid: 1000, gid: 1000 }
const isRoot = process.getuid?.() === 0
const source = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'refrain-image-'))
execFileSync('chmod', ['755', work])

const instructions = readFileSync(join(source, 'Dockerfile'), 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line)?.slice(1) ?? ['', line])

const stages = new Map()
let stage

/** Where a path of the image lies here. */
const here = (path, at = stage) =>
  path.startsWith('/') ? join(at.root, path) : join(at.root, at.cwd, path)

/** A shell line of the image: paths of its own lie in the folder, and its user is known by number. */
const localized = (line) =>
  line
    .replaceAll(/(?<![\w/.:])\/(var|app|etc|opt)\b/g, (path) => join(stage.root, path))
    .replaceAll('node:node', isRoot ? `${NODE.uid}:${NODE.gid}` : `${process.getuid()}`)

const STEPS = {
  FROM(text) {
    const [, , name = 'last'] = /^(\S+)(?: AS (\S+))?$/i.exec(text) ?? []
    stage = { root: join(work, name), cwd: '/', env: {}, name }
    // The base image has what the distribution has.
    mkdirSync(join(stage.root, 'var/lib'), { recursive: true })
    stages.set(name, stage)
  },
  ENV(text) {
    for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value
  },
  WORKDIR(path) {
    stage.cwd = path
    mkdirSync(here(path), { recursive: true })
  },
  COPY(text) {
    const from = /^--from=(\S+) /.exec(text)?.[1]
    const paths = text.replace(/^--\S+ /, '').split(/\s+/)
    const target = paths.pop()
    for (const path of paths) {
      const into = paths.length > 1 || target.endsWith('/') ? join(target, basename(path)) : target
      const origin = from === undefined ? join(source, path) : here(path, stages.get(from))
      mkdirSync(dirname(here(into)), { recursive: true })
      cpSync(origin, here(into), { recursive: true })
    }
  },
  RUN(line) {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...stage.env }
    for (const name of Object.keys(process.env))
      if (/^npm_config_/i.test(name) && !/prefix/i.test(name)) env[name] = process.env[name]
    execFileSync('sh', ['-ec', localized(line)], { cwd: here('.'), env, stdio: 'inherit' })
  },
  VOLUME(path) {
    stage.volume = path
    if (!existsSync(here(path))) throw new Error(`the image has no ${path} for its volume`)
  },
  USER(name) {
    if (name !== 'node') throw new Error(`the image runs as ${name}`)
    stage.user = NODE
  },
  EXPOSE(port) {
    stage.port = port
  },
  HEALTHCHECK(text) {
    stage.health = JSON.parse(text.slice(text.indexOf('[')))
  },
  CMD(text) {
    stage.command = JSON.parse(text)
  },
}

/** Files in the tree that the user could write to, but for the volume. */
const writable = () =>
  execFileSync('find', [
    stage.root,
    ...['-path', here(stage.volume), '-prune', '-o'],
    ...['-perm', '/022', '-not', '-type', 'l', '-print'],
  ])
    .toString()
    .trim()

/** Makes all of the image but its volume read-only for itself, takes every right away, and goes on as the user. */
const SEAL = `root=$1; volume=$2; cwd=$3; shift 3
mount --bind "$root" "$root"
mount --bind "$volume" "$volume"
mount -o remount,bind,ro "$root"
cd "$cwd"
if (: >not-allowed) 2>/dev/null; then echo 'the root can be written to'; exit 1; fi
exec setpriv --reuid=${NODE.uid} --regid=${NODE.gid} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"`

/** Not every machine lets its root mount. */
const seals = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0

const sealed = (command) => [
  ...['unshare', '--mount', 'sh', '-ec', SEAL, 'sh'],
  ...[stage.root, here(stage.volume), here('.'), ...command],
]

const tried = async () => {
  const { user, volume, port } = stage
  const own = isRoot && !seals ? user : {}
  const env = {
    PATH: process.env.PATH,
    ...stage.env,
    ...{ PORT: '14000', ADMIN_PORT: '0', SANDBOX: '1', PUBLIC: '1' },
    STATE_DIR: here(volume),
  }
  const [command, ...args] = seals ? sealed(stage.command) : stage.command
  const options = { cwd: here('.'), env, stdio: ['ignore', 'inherit', 'inherit'], ...own }
  const child = spawn(command, args, options)
  const ended = once(child, 'exit')
  const [probe, ...rest] = stage.health
  for (let tries = 0; ; tries += 1) {
    const health = spawn(probe, rest, { ...options, ...(isRoot ? user : {}) })
    const [code] = await once(health, 'exit')
    if (code === 0) break
    if (tries === 40 || child.exitCode !== null) throw new Error(`it is not healthy on ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  child.kill('SIGINT')
  const [code] = await ended
  if (code !== 0) throw new Error(`it left with ${code}`)
}

try {
  for (const [name, text] of instructions) {
    process.stdout.write(`${name} ${text}\n`)
    const step = STEPS[name]
    if (step === undefined) throw new Error(`no step is known for ${name}`)
    step(text)
  }
  if (isRoot) chownSync(here(stage.volume), NODE.uid, NODE.gid)
  const open = writable()
  if (open !== '') throw new Error(`others may write to ${open}`)
  await tried()
  const how = seals
    ? 'on a read-only root, without a right'
    : 'on a root that is not read-only here'
  process.stdout.write(`each step ran, and what came of them is healthy ${how}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
