import { createJiti } from 'jiti'

/** What the loader gets from its rule. */
interface LoaderOptions {
  /** The source of the module, instead of the file's content. */
  source?: string
}

interface LoaderContext {
  resourcePath: string
  getOptions: () => LoaderOptions
}

/**
 * A loader for webpack and Rspack: it gives a module its source, or translates TypeScript as the dev server does. A project
 * on webpack may have no loader for TypeScript, or one that only takes the application's folder.
 */
export default function moduleLoader(this: LoaderContext, text: string): string {
  const { source } = this.getOptions()
  if (source !== undefined) return source
  return createJiti(import.meta.url).transform({ source: text, filename: this.resourcePath, ts: true })
}
