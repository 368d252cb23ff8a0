/* What Vite adds to the modules of the page; VitePress's own types would name a second Vite. */

declare module '*.css?inline' {
  const styles: string
  export default styles
}

interface ImportMeta {
  readonly env: {
    /** Whether the page is rendered on the server. */
    readonly SSR: boolean
    /** Path below which the site is served; ends with a slash. */
    readonly BASE_URL: string
  }
}
