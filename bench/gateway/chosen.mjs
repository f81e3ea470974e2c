/** Those of some names that a variable of the environment lists by comma, or all; ends with 1 at one that is none of them. */
export const chosen = (variable, names) => {
  const wanted = process.env[variable]?.split(',') ?? names
  for (const name of wanted)
    if (!names.includes(name)) {
      process.stderr.write(`${variable}: ${name} is none of ${names.join(', ')}\n`)
      process.exit(1)
    }
  return wanted
}
