/** The values of a GraphQL enum: names and wire words are the endpoint's, what they mean is said here. */
export const valuesOf = <const W extends Readonly<Record<string, string>>>(
  words: W,
  descriptions: { readonly [K in keyof W]: string },
) =>
  Object.fromEntries(
    Object.entries(words).map(([name, value]) => [
      name,
      { value, description: descriptions[name as keyof W] },
    ]),
  ) as { [K in keyof W]: { value: W[K]; description: string } }
