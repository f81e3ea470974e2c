// Bundles the explorer into dist/graphiql, unless what lies there is made of the same.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readThemes } from './docs/recipe.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const out = join(root, 'dist/graphiql')
const RECIPES = 'docs/recipes'

/** What the bundle is made of; the lockfile stands for the packages. */
const ingredients = () => {
  const inside = (folder) => readdirSync(join(root, folder)).map((name) => join(folder, name))
  const hash = createHash('sha256')
  for (const file of [
    'package-lock.json',
    'scripts/graphiql.mjs',
    'scripts/docs/recipe.mjs',
    ...inside('ui/graphiql'),
    ...inside(RECIPES),
  ])
    hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const settings = {
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.ttf': 'dataurl', '.woff2': 'dataurl' },
  logLevel: 'warning',
}

/** A worker becomes a text inside the page: no second file is asked for. */
const workers = (build) => ({
  name: 'workers',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^worker:/ }, async ({ path, resolveDir }) => {
      const found = await resolve(path.slice(7), { resolveDir, kind: 'import-statement' })
      return { path: found.path, errors: found.errors, namespace: 'worker' }
    })
    onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path }) => {
      const { outputFiles } = await build({ ...settings, entryPoints: [path], write: false })
      return { contents: outputFiles[0].text, loader: 'text' }
    })
  },
})

/** Tabs of our own in place of GraphiQL's: ui/graphiql/tab.tsx says why. */
const tabs = {
  name: 'tabs',
  setup({ onResolve }) {
    onResolve({ filter: /\/tabs\/index\.js$/ }, ({ importer }) =>
      importer.includes('@graphiql') ? { path: join(root, 'ui/graphiql/tab.tsx') } : undefined,
    )
  },
}

const recipes = {
  name: 'recipes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^recipes:themes$/ }, ({ path }) => ({ path, namespace: 'recipes' }))
    onLoad({ filter: /.*/, namespace: 'recipes' }, () => ({
      contents: JSON.stringify(readThemes(join(root, RECIPES))),
      loader: 'json',
    }))
  },
}

/** Absent from an install without the packages of development. */
const findEsbuild = async () => {
  try {
    return await import('esbuild')
  } catch (failure) {
    if (failure.code !== 'ERR_MODULE_NOT_FOUND') throw failure
    return undefined
  }
}

const stamp = join(out, 'made-of')
const madeOf = ingredients()
const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === madeOf
const esbuild = isCurrent ? undefined : await findEsbuild()
if (esbuild !== undefined) {
  await esbuild.build({
    ...settings,
    entryPoints: [join(root, 'ui/graphiql/main.tsx')],
    outdir: out,
    jsx: 'automatic',
    plugins: [workers(esbuild.build), tabs, recipes],
  })
  writeFileSync(stamp, madeOf)
} else if (!isCurrent) {
  process.stderr.write(
    'The explorer is not built: esbuild comes with `npm ci` without --omit=dev.\n',
  )
}
