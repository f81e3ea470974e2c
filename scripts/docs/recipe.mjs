import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { page, table } from './markdown.mjs'

const read = (folder, file) => readFileSync(join(folder, file), 'utf8')
const readJson = (folder, file) => JSON.parse(read(folder, file))

/** A recipe: comment lines with its title and what to know, then the operation. */
const recipeOf = (text, price) => {
  const lines = text.trimEnd().split('\n')
  const end = lines.findIndex((line) => !line.startsWith('#'))
  const [title, ...about] = lines.slice(0, end).map((line) => line.replace(/^# ?/, ''))
  return { title, about: about.join(' '), query: lines.slice(end).join('\n'), price }
}

/** The recipes of a folder with their prices, in the order of their names. */
export const readRecipes = (folder) =>
  Object.entries(readJson(folder, 'prices.json')).map(([name, price]) =>
    recipeOf(read(folder, `${name}.graphql`), price),
  )

/** The same by theme. */
export const readThemes = (folder) => {
  const prices = readJson(folder, 'prices.json')
  return Object.entries(readJson(folder, 'themes.json')).map(([theme, names]) => ({
    theme,
    recipes: names.map((name) => recipeOf(read(folder, `${name}.graphql`), prices[name])),
  }))
}

const credits = (n) => `${n} ${n === 1 ? 'credit' : 'credits'}`
/** Some things that are asked for lie around today, and some rows lack what others have. */
const orSo = ({ varies = [] }, column, told) => (varies.includes(column) ? `${told} or so` : told)
const anchor = (title) =>
  `#${title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')}`

/** The page of recipes. */
export const recipePage = (recipes) =>
  page(
    '# Recipes',
    'What clients of such a service do, as operations of this schema. Each runs as it stands on the sandbox, and costs what is said there, by itself or after those before it: none asks for what another one has bought. A test holds the prices; where it says *or so*, a few credits more or less, as events come and go from day to day and some rows lack what others have. A gateway that sends a request for each field that has an endpoint would pay the last column.',
    table(
      ['Recipe', 'Credits', 'The second time', 'Request by request'],
      recipes.map(({ title, price }) => [
        `[${title}](${anchor(title)})`,
        orSo(price, 'cold', price.cold),
        price.again,
        orSo(price, 'naive', price.naive),
      ]),
    ),
    ...recipes.flatMap(({ title, about, query, price }) => [
      `## ${title}`,
      about,
      `\`\`\`graphql\n${query}\n\`\`\``,
      `${orSo(price, 'cold', credits(price.cold))}, ${price.again === 0 ? 'none' : price.again} the second time; request by request ${orSo(price, 'naive', price.naive)}.`,
    ]),
  )
