import { createJiti } from 'jiti'

interface LoaderOptions {
  /** Replaces the file's content. */
  source?: string
}

interface LoaderContext {
  resourcePath: string
  getOptions: () => LoaderOptions
}

/** Translates TypeScript: a project's own loader may be missing, or only take the application's folder. */
export default function moduleLoader(this: LoaderContext, text: string): string {
  const { source } = this.getOptions()
  if (source !== undefined) return source
  return createJiti(import.meta.url).transform({ source: text, filename: this.resourcePath, ts: true })
}
