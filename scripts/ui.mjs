// Bundles the pages, explorer and credits, into dist/ui, unless what lies there is made of the same.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readThemes } from './docs/recipe.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const out = join(root, 'dist/ui')
const RECIPES = 'docs/recipes'

/** What the bundle is made of; the lockfile stands for the packages. */
const ingredients = () => {
  const inside = (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
      .sort()
  const hash = createHash('sha256')
  for (const file of [
    'package-lock.json',
    'scripts/ui.mjs',
    'scripts/docs/recipe.mjs',
    ...inside('ui'),
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
    entryPoints: {
      graphiql: join(root, 'ui/graphiql/main.tsx'),
      credits: join(root, 'ui/credits/main.tsx'),
    },
    outdir: out,
    jsx: 'automatic',
    plugins: [workers(esbuild.build), tabs, recipes],
  })
  writeFileSync(stamp, madeOf)
} else if (!isCurrent) {
  process.stderr.write(
    'Explorer and credits page are not built: esbuild comes with `npm ci` without --omit=dev.\n',
  )
}
