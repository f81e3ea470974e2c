/** Written into the page by src/server/page.ts. */
interface PageOptions {
  readonly title: string
  readonly endpoint: string
  readonly icon: string
  /** First steps, one tab each. */
  readonly examples: readonly { readonly query: string }[]
}

declare const refrainPage: PageOptions

declare module 'worker:*' {
  const source: string
  export default source
}

declare module 'recipes:themes' {
  interface Recipe {
    readonly title: string
    readonly about: string
    readonly query: string
    /** Credits on the sandbox, with nothing held. */
    readonly price: { readonly cold: number; readonly varies?: readonly string[] }
  }
  const themes: readonly { readonly theme: string; readonly recipes: readonly Recipe[] }[]
  export default themes
}

declare module '*.css'
